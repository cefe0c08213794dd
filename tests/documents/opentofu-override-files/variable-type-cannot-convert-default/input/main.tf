variable "depth" {
  default = "deep"
}
