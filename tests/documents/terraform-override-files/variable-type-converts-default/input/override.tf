variable "depth" {
  type = string
}
