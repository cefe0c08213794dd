variable "prefix" {
  type    = string
  default = "alias"
}

output "alias" {
  value = "${var.prefix}/main"
}
