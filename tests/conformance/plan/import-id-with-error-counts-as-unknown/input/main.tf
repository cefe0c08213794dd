variable "none" {
  default = {}
}

variable "keys" {
  default = ["a", "b"]
}

import {
  for_each = toset(var.keys)
  to       = terraform_data.keyed[each.key]
  id       = var.none[each.key]
}

import {
  to = terraform_data.other
  id = var.none["x"]
}

resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
}

resource "terraform_data" "other" {
  lifecycle {
    precondition {
      condition     = var.none != null
      error_message = "No."
    }
  }
}

resource "terraform_data" "user" {
  input = terraform_data.other.id
}
