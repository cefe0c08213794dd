variable "text" {
  default = "text"
}

resource "terraform_data" "source" {}

import {
  for_each = { a = terraform_data.source.id }
  to       = terraform_data.one[each.key]
  id       = each.key
}

import {
  for_each = var.text
  to       = terraform_data.two[each.key]
  id       = each.key
}

resource "terraform_data" "one" {
  for_each = toset(["a"])
}

resource "terraform_data" "two" {
  for_each = toset(["a"])
}
