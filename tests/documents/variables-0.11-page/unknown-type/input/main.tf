variable "fish" {
  type    = "number"
  default = "1"
}
