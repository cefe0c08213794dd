variable "fish" {
  default = null
}
