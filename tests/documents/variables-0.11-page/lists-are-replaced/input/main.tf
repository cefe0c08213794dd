variable "banks" {
  type = "list"
}
