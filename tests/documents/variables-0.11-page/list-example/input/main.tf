variable "banks" {
  type    = "list"
  default = ["left", "right"]
}
