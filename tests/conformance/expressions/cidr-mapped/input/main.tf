variable "v0" {
  default = 0

  validation {
    condition     = var.v0 == var.v0 && cidrnetmask("::ffff:10.0.0.0/104") == "ffff:ffff:ffff:ffff:ffff:ffff:ff00:0"
    error_message = "Another result."
  }
}

variable "v1" {
  default = 0

  validation {
    condition     = var.v1 == var.v1 && cidrnetmask("::ffff:0:0/96") == "ffff:ffff:ffff:ffff:ffff:ffff::"
    error_message = "Another result."
  }
}

variable "v2" {
  default = 0

  validation {
    condition     = var.v2 == var.v2 && cidrhost("::ffff:10.0.0.0/104", 5) == "0:5::ffff:a00:0"
    error_message = "Another result."
  }
}

variable "v3" {
  default = 0

  validation {
    condition     = var.v3 == var.v3 && cidrhost("::ffff:10.0.0.0/100", -1) == "fff:ffff::ffff:0:0"
    error_message = "Another result."
  }
}

variable "v4" {
  default = 0

  validation {
    condition     = var.v4 == var.v4 && cidrhost("::ffff:10.0.0.0/128", 0) == "10.0.0.0"
    error_message = "Another result."
  }
}

variable "v5" {
  default = 0

  validation {
    condition     = var.v5 == var.v5 && cidrhost("::ffff:10.0.0.0/90", 5) == "::ffc0:0:5"
    error_message = "Another result."
  }
}

variable "v6" {
  default = 0

  validation {
    condition     = var.v6 == var.v6 && cidrsubnet("::ffff:10.0.0.0/104", 8, 2) == "10.2.0.0/16"
    error_message = "Another result."
  }
}

variable "v7" {
  default = 0

  validation {
    condition     = var.v7 == var.v7 && !can(cidrsubnets("::ffff:10.0.0.0/104", 8))
    error_message = "Another result."
  }
}

variable "v8" {
  default = 0

  validation {
    condition     = var.v8 == var.v8 && !can(cidrnetmask("::ffff:10.0.0.0/95"))
    error_message = "Another result."
  }
}
