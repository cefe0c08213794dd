variable "a" {
  validation {
    condition     = var.a == "z"
    error_message = "bad ${var.b}"
  }
}
variable "b" {
  validation {
    condition     = var.b == "z"
    error_message = "bad ${var.e}"
  }
}
variable "c" {
  validation {
    condition     = var.c == "z"
    error_message = "bad ${tonumber(var.c)}"
  }
}
variable "d" {
  validation {
    condition     = tonumber(var.d) == 1
    error_message = "bad ${var.c}"
  }
}
variable "e" { default = null }
