variable "v" {
  default = upper("x
}
variable "w" {
  type = lists("x
}
variable "u" {
  type = list('x'
}
