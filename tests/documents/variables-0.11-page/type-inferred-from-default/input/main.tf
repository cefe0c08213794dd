variable "a" {
  default = "x"
}
variable "b" {
  default = ["x"]
}
variable "c" {
  default = {
    x = "y"
  }
}
variable "d" {}
