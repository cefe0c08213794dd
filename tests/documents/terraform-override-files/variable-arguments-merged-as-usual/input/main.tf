variable "depth" {
  description = "of the pond"
  sensitive   = true
  default     = 1
}
