variable "region" {
  sensitive = false
}

variable "ports" {
  default = ["443", 80, 443]
}
