variable "ponds" {
  type = "map"
}
