variable "depth" {
  default = 3
}
