variable "o" { default = "o" }
variable "a" {
  validation {
    condition     = var.a == "z"
    error_message = sensitive("x")
  }
}
variable "b" {
  validation {
    condition     = var.b == "z"
    error_message = "${sensitive("x")} ${var.o}"
  }
}
variable "s" {
  sensitive = true
  validation {
    condition     = var.s == "z"
    error_message = "own ${var.s}"
  }
}
variable "e" {
  ephemeral = true
  validation {
    condition     = var.e == "z"
    error_message = "own ${var.e}"
  }
}
variable "d" {
  default = "q"
  validation {
    condition     = var.d == "z"
    error_message = "own ${null}"
  }
}
