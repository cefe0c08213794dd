variable "depth" {
  description = "of the lake"
}
