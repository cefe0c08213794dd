variable "s" {
  default = "k"
  sensitive = true
  validation {
    condition     = var.s == "z"
    error_message = "own ${var.s}"
  }
}
variable "a" {
  default = "k"
  validation {
    condition     = var.a == "z" && var.e2 == "k"
    error_message = "bad ${var.e2}"
  }
}
variable "e2" {
  default = "k"
  ephemeral = true
}
variable "s2" {
  default = "k"
  sensitive = true
}
variable "b" {
  default = "k"
  validation {
    condition     = var.b == "z" 
    error_message = "bad ${var.s2}"
  }
}
variable "d" {
  default = "k"
  validation {
    condition     = var.d == "z" 
    error_message = sensitive(["x"])
  }
}
variable "f" {
  default = "k"
  validation {
    condition     = var.f == "z" 
    error_message = sensitive(null)
  }
}
