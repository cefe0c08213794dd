variable "depth" {
  type = number
}
