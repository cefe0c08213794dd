variable "depth" {
  default = 12
}
output "depth" {
  value = var.depth
}
