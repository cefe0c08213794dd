variable "depth" {
  type    = number
  default = 3
}
