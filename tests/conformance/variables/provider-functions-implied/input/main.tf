terraform {
  required_providers {
    terraform = {}
  }
}

variable "v0" {
  default = 0

  validation {
    condition     = var.v0 == var.v0 && provider::terraform::encode_expr(var.v0) != ""
    error_message = "Another result."
  }
}

variable "v1" {
  default = 0

  validation {
    condition     = var.v1 == var.v1 && provider::terraform::encode_expr(sensitive(var.v1)) != ""
    error_message = "Another result."
  }
}
