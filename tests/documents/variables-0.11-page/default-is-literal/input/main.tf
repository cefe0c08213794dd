variable "fish" {
  default = "${var.other}"
}
variable "other" {
  default = "x"
}
