variable "region" {
  type    = string
  default = "eu-1"

  validation {
    condition     = can(regex("^[a-z]{2}-[0-9]$", var.region))
    error_message = "${var.region} is not a region."
  }

  validation {
    condition     = var.region != var.forbidden
    error_message = "Forbidden."
  }
}

variable "forbidden" {
  default = "xx-0"
}

variable "ports" {
  type    = list(number)
  default = [80]

  validation {
    condition     = alltrue([for port in var.ports : port > 0 && port < 65536])
    error_message = "Ports must be between 1 and 65535."
  }
}

output "all" {
  value = [var.region, var.forbidden, var.ports]
}
