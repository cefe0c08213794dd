variable "a" {
  default = ""
}
variable "b" {
  default = ""
}
variable "c" {
  default = ""
}
