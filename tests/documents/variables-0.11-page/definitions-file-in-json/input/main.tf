variable "fish" {}
variable "plant" {}
variable "banks" {
  type = "list"
}
variable "ponds" {
  type = "map"
}
