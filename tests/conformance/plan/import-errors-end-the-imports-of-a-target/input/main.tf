import {
  for_each = { a = "x" }
  to       = module.m[var.key].terraform_data.one["a"]
  id       = each.value
}

import {
  for_each = sensitive({ a = "x" })
  to       = module.m[each.value].terraform_data.one["b"]
  id       = each.value
}

import {
  for_each = toset(["a"])
  to       = module.m["a"].terraform_data.two[each.key]
  id       = each.value.nothing
}

variable "key" {
  default = "a"
}

module "m" {
  source   = "./m"
  for_each = toset(["a"])
}
