variable "ponds" {
  default = {
    north = "deep"
  }
}
