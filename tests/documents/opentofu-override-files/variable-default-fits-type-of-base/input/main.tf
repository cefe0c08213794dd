variable "depth" {
  type    = string
  default = "low"
}
output "depth" {
  value = var.depth
}
