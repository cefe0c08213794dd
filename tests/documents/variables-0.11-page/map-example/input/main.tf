variable "ponds" {
  type = "map"
  default = {
    "north" = "pond-12"
    "south" = "pond-34"
  }
}
