terraform {
  required_version = ">= 1.5, < 1.12"
}

variable "password" {
  type      = string
  default   = "a-secret-default"
  sensitive = true
}

check "health" {
  assert {
    condition     = terraform_data.web.output != ""
    error_message = "The web server has no name."
  }
}

ephemeral "random_password" "db" {
  length = 16
}

import {
  to = terraform_data.web
  id = "web"
}

removed {
  from = terraform_data.old
  lifecycle {
    destroy = false
  }
}

resource "aws_db_instance" "main" {
  password_wo         = ephemeral.random_password.db.result
  password_wo_version = 1
}

resource "terraform_data" "web" {
  input = "blue"
}
