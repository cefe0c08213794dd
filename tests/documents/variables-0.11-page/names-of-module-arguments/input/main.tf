variable "source" {
  default = "s"
}
variable "version" {
  default = "v"
}
variable "providers" {
  default = "p"
}
