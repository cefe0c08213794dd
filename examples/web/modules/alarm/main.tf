variable "name" {
  type = string
}

variable "threshold" {
  type = number
}

variable "targets" {
  type = list(string)
}

variable "token" {
  type      = string
  sensitive = true
}

output "name" {
  value = "${var.name}-cpu"
}
