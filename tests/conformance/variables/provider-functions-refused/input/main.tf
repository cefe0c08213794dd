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
    condition     = var.v0 == var.v0 && provider::terraform::bogus(var.v0) != ""
    error_message = "Another result."
  }
}

variable "v1" {
  default = 0

  validation {
    condition     = var.v1 == var.v1 && provider::gcp::fn(var.v1) != ""
    error_message = "Another result."
  }
}

variable "v2" {
  default = 0

  validation {
    condition     = var.v2 == var.v2 && provider::terraform(var.v2) != ""
    error_message = "Another result."
  }
}

variable "v3" {
  default = 0

  validation {
    condition     = var.v3 == var.v3 && provider::terraform::a::b(var.v3) != ""
    error_message = "Another result."
  }
}

variable "v4" {
  default = 0

  validation {
    condition     = var.v4 == var.v4 && core::bogus(var.v4) != ""
    error_message = "Another result."
  }
}

variable "v5" {
  default = 0

  validation {
    condition     = var.v5 == var.v5 && bogus::fn(var.v5) != ""
    error_message = "Another result."
  }
}
