variable "none" {
  type    = string
  default = null
}

import {
  to = terraform_data.input
  id = "a"
}

import {
  to = terraform_data.trigger
  id = "b"
}

import {
  to = terraform_data.marked
  id = "c"
}

resource "terraform_data" "input" {
  input = var.none
}

resource "terraform_data" "trigger" {
  triggers_replace = var.none
}

resource "terraform_data" "marked" {
  input = sensitive(null)
}
