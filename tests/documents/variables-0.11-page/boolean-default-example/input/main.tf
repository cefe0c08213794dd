variable "frozen" {
  default = false
}
variable "wet" {
  default = true
}
