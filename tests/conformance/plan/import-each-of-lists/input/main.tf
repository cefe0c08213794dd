variable "none" {
  type    = map(string)
  default = null
}

import {
  for_each = ["p", "q"]
  to       = terraform_data.counted[each.key]
  id       = each.value
}

import {
  for_each = sensitive({ a = "sa" })
  to       = terraform_data.keyed[each.key]
  id       = each.value
}

import {
  for_each = var.none
  to       = terraform_data.keyed[each.key]
  id       = each.value
}

resource "terraform_data" "counted" {
  count = 2
}

resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
}
