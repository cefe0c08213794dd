variable "pairs" {
  default = { a = "a" }
}

import {
  for_each = sensitive(var.pairs)
  to       = terraform_data.keyed[each.value]
  id       = "x"
}

import {
  for_each = var.pairs
  to       = terraform_data.other[each.value == "a"]
  id       = "x"
}

resource "terraform_data" "keyed" {
  for_each = toset(["a"])
}

resource "terraform_data" "other" {
  for_each = toset(["a"])
}
