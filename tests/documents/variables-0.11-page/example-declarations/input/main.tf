variable "fish" {
  type = "string"
}
variable "ponds" {
  type = "map"
  default = {
    north = "pond-12"
    south = "pond-34"
  }
}
variable "banks" {
  default = ["left", "right"]
}
