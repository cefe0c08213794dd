variable "a" {
  default = "x"
  validation {
    condition     = can(nofunc(var.a)) || length(var.a) > 2
    error_message = "no"
  }
}
variable "b" {
  default = "xxx"
  validation {
    condition     = can(provider::terraform::nofunc(var.b)) || length(var.b) > 2
    error_message = "no"
  }
}
variable "c" {
  default = "xxx"
  validation {
    condition     = length(var.c) > 2 || nofunc(var.c)
    error_message = "no"
  }
}
variable "d" {
  default = "xxx"
  validation {
    condition     = length(var.d) > 2 ? true : nofunc(var.d)
    error_message = "no"
  }
}
