terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
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
    condition     = var.v1 == var.v1 && provider::terraform::encode_tfvars({ a = var.v1 }) != ""
    error_message = "Another result."
  }
}

variable "v2" {
  default = 0

  validation {
    condition     = var.v2 == var.v2 && provider::terraform::decode_tfvars("a = 1").a == 1
    error_message = "Another result."
  }
}
