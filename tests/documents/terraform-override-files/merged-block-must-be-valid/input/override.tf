variable "fish" {
  nullable = false
}
