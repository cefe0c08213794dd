variable "frozen" {
  default = false
}
