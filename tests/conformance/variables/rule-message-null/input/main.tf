variable "x" {
  default = "a"
  validation {
    condition     = var.x == "b"
    error_message = null
  }
  validation {
    condition     = var.x == "c"
    error_message = tostring(null)
  }
  validation {
    condition     = var.x == "d"
    error_message = [1]
  }
}
