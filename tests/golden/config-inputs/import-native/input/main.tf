locals {
  ids = {
    a = "id-a"
    b = "id-b"
  }
}

resource "terraform_data" "one" {
  input = 1
}

resource "terraform_data" "each" {
  for_each = local.ids
  input    = each.value
}

import {
  to = terraform_data.one
  id = "id-one"
}

import {
  for_each = local.ids
  to       = terraform_data.each[each.key]
  id       = "pre-${each.value}"
}
