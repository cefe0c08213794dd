variable "o" { default = "k" }
variable "a" {
  default = 1
  validation {
    condition     = length([var.a]) == 1 ? false : false
    error_message = "bad ${var.o}"
  }
}
variable "b" {
  default = 1
  validation {
    condition     = length([var.b]) == 1 ? false : false
    error_message = "bad ${1+[]}"
  }
}
variable "c" {
  default = 1
  validation {
    condition     = length([var.c]) == 1 ? false : false
    error_message = "bad ${null}"
  }
}
variable "d" {
  default = 1
  validation {
    condition     = length([var.d]) == 1 ? nofunc() : false
    error_message = "bad ${null}"
  }
}
variable "e" {
  default = 1
  validation {
    condition     = length([var.e]) == 1 ? false : false
    error_message = null
  }
}
variable "f" {
  default = 1
  validation {
    condition     = length([var.f]) == 1 ? false : false
    error_message = ["x"]
  }
}
variable "g" {
  default = 1
  validation {
    condition     = length([var.g]) == 1 ? [nofunc()] : []
    error_message = nofunc()
  }
}
variable "h" {
  default = 1
  validation {
    condition     = length([var.h]) == 1 ? "${null}" == "x" : false
    error_message = nofunc()
  }
}
variable "i" {
  default = 1
  validation {
    condition     = length([var.i]) == 1 ? "${null}" == "x" : true
    error_message = null
  }
}
variable "j" {
  default = "k"
  validation {
    condition     = length([var.j]) == 1 ? false : true
    error_message = "a ${var.j} b ${var.o} ${timestamp()}"
  }
}
variable "k" {
  default = 1
  validation {
    condition     = length([var.k]) == 1 ? false : true
    error_message = "a ${tonumber("x")}"
  }
}
variable "l" {
  default = 1
  validation {
    condition     = length([var.l]) == 1 ? false : true
    error_message = tonumber("x")
  }
}
