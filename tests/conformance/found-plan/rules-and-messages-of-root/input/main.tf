variable "o" { default = "k" }
variable "n" { default = null }
variable "a" {
  default = "k"
  validation {
    condition     = var.a == "z"
    error_message = "bad ${tonumber(var.a)}"
  }
}
variable "b" {
  default = null
  validation {
    condition     = var.b == "z"
    error_message = "bad ${var.b}"
  }
}
variable "c" {
  default = "k"
  validation {
    condition     = var.c == "z"
    error_message = var.n
  }
}
variable "d" {
  default = "k"
  validation {
    condition     = var.d == "z"
    error_message = [var.d]
  }
}
variable "e" {
  default = "k"
  validation {
    condition     = var.e == "z"
    error_message = "a ${timestamp()}"
  }
}
variable "f" {
  default = "k"
  validation {
    condition     = var.f == "k"
    error_message = "a ${tonumber(var.f)}"
  }
}
variable "g" {
  default = "k"
  validation {
    condition     = tonumber(var.g) == 1
    error_message = "a ${tonumber(var.f)}"
  }
}
variable "h" {
  default = "k"
  validation {
    condition     = var.h == "z"
    error_message = tonumber(var.f)
  }
}
variable "j" {
  default = null
  validation {
    condition     = var.j
    error_message = "x ${var.j}"
  }
}
variable "k" {
  default = "z"
  validation {
    condition     = var.k
    error_message = "x ${var.j}"
  }
}
variable "m" {
  default = "z"
  validation {
    condition     = var.m == "k"
    error_message = "%{ if var.n }x%{ endif }${var.o}"
  }
}
variable "p" {
  default = "z"
  validation {
    condition     = var.p == "k"
    error_message = "%{ for x in var.n }x%{ endfor }${var.o}"
  }
}
variable "q" {
  default = "z"
  validation {
    condition     = var.q == "k"
    error_message = "${var.q}" + 1
  }
}
variable "r" {
  default = "z"
  validation {
    condition     = var.r == "k"
    error_message = var.r ? "a" : "b"
  }
}
variable "s" {
  default = "z"
  validation {
    condition     = var.s == "k"
    error_message = upper(var.n)
  }
}
variable "t" {
  default = "z"
  validation {
    condition     = var.t == "k"
    error_message = var.n.x
  }
}
variable "v" {
  default = "z"
  validation {
    condition     = var.v == "k"
    error_message = [for x in var.v : x][0]
  }
}
variable "w" {
  default = "z"
  validation {
    condition     = var.w == "k"
    error_message = "${var.o}${var.n}"
  }
}
variable "x" {
  default = "z"
  validation {
    condition     = var.x == "k"
    error_message = <<EOT
hello ${var.n}
EOT
  }
}
variable "y" {
  default = "z"
  validation {
    condition     = var.y == "k"
    error_message = join(",", ["a", var.n])
  }
}
variable "z" {
  default = "z"
  validation {
    condition     = var.z == "k"
    error_message = "${var.n}"
  }
}
