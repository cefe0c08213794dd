variable "token" {
  type      = string
  ephemeral = true
  default   = "t"
  validation {
    condition     = var.token == "t"
    error_message = "Not ${var.token}."
  }
}

variable "name" {
  type    = string
  default = "n"
  validation {
    condition     = var.name == "m"
    error_message = "Beside ${var.token}: ${var.name}."
  }
}

variable "secret" {
  sensitive = true
  default   = "s"
}

variable "other" {
  default = 1
  validation {
    condition     = var.other == 2
    error_message = "Beside ${var.secret}."
  }
}

variable "empty" {
  default = 1
  validation {
    condition     = var.empty == 2
    error_message = " "
  }
}
