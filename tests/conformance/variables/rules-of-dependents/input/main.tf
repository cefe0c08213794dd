locals {
  l = var.b
  m = local.l
}
variable "a" {
  default = "x"
  validation {
    condition     = var.a == "1"
    error_message = "own"
  }
  validation {
    condition     = var.a == "1" && var.b == "x"
    error_message = "other"
  }
}
variable "c" {
  default = "x"
  validation {
    condition     = var.c == "1" && local.m == "x"
    error_message = "through locals"
  }
}
variable "d" {
  default = "x"
  validation {
    condition     = var.d == "1"
    error_message = "in the message ${var.b}"
  }
}
variable "e" {
  default = "x"
  validation {
    condition     = var.e == "1" && var.a != ""
    error_message = "through a"
  }
}
variable "f" {
  default = "x"
  validation {
    condition     = var.f == "1"
    error_message = "free"
  }
}
variable "b" {
  default = "x"
  validation {
    condition     = var.b == "y"
    error_message = "b"
  }
}
