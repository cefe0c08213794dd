variable "a" {
  default = "x"
  validation {
    condition     = var.a == "1" && var.b == "1" && parseint("zz", 10) == 1
    error_message = "own"
  }
}
variable "b" {
  default = "x"
  validation {
    condition     = var.b == "y" && var.zzz == 1
    error_message = "b"
  }
}
