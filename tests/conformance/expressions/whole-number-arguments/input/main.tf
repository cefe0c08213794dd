variable "v0" {
  default = 0

  validation {
    condition     = var.v0 == var.v0 && jsonencode(slice(["a","b"], 0, 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v1" {
  default = 0

  validation {
    condition     = var.v1 == var.v1 && jsonencode(slice(["a","b"], 0.5, 1)) != ""
    error_message = "Another result."
  }
}

variable "v2" {
  default = 0

  validation {
    condition     = var.v2 == var.v2 && jsonencode(slice(tolist(["a","b"]), 0, 1e30)) != ""
    error_message = "Another result."
  }
}

variable "v3" {
  default = 0

  validation {
    condition     = var.v3 == var.v3 && jsonencode(cidrhost("10.0.0.0/8", 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v4" {
  default = 0

  validation {
    condition     = var.v4 == var.v4 && jsonencode(cidrhost("bad", 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v5" {
  default = 0

  validation {
    condition     = var.v5 == var.v5 && jsonencode(cidrsubnet("10.0.0.0/8", 1.5, 0)) != ""
    error_message = "Another result."
  }
}

variable "v6" {
  default = 0

  validation {
    condition     = var.v6 == var.v6 && jsonencode(cidrsubnet("10.0.0.0/8", 1, 0.5)) != ""
    error_message = "Another result."
  }
}

variable "v7" {
  default = 0

  validation {
    condition     = var.v7 == var.v7 && jsonencode(cidrsubnet("10.0.0.0/8", 1e30, 0)) != ""
    error_message = "Another result."
  }
}

variable "v8" {
  default = 0

  validation {
    condition     = var.v8 == var.v8 && jsonencode(cidrsubnets("10.0.0.0/8", 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v9" {
  default = 0

  validation {
    condition     = var.v9 == var.v9 && jsonencode(cidrsubnets("10.0.0.0/8", 1, 1e30)) != ""
    error_message = "Another result."
  }
}

variable "v10" {
  default = 0

  validation {
    condition     = var.v10 == var.v10 && jsonencode(element(["a","b"], 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v11" {
  default = 0

  validation {
    condition     = var.v11 == var.v11 && jsonencode(chunklist(["a","b"], 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v12" {
  default = 0

  validation {
    condition     = var.v12 == var.v12 && jsonencode(substr("abc", 0.5, 1)) != ""
    error_message = "Another result."
  }
}

variable "v13" {
  default = 0

  validation {
    condition     = var.v13 == var.v13 && jsonencode(indent(1.5, "a")) != ""
    error_message = "Another result."
  }
}

variable "v14" {
  default = 0

  validation {
    condition     = var.v14 == var.v14 && jsonencode(parseint("10", 10.5)) != ""
    error_message = "Another result."
  }
}

variable "v15" {
  default = 0

  validation {
    condition     = var.v15 == var.v15 && jsonencode(signum(0.5)) != ""
    error_message = "Another result."
  }
}

variable "v16" {
  default = 0

  validation {
    condition     = var.v16 == var.v16 && jsonencode(format("%d", 1.5)) != ""
    error_message = "Another result."
  }
}

variable "v17" {
  default = 0

  validation {
    condition     = var.v17 == var.v17 && jsonencode(fileexists("hello.txt/x")) != ""
    error_message = "Another result."
  }
}

variable "v18" {
  default = 0

  validation {
    condition     = var.v18 == var.v18 && jsonencode(file("hello.txt/x")) != ""
    error_message = "Another result."
  }
}

variable "v19" {
  default = 0

  validation {
    condition     = var.v19 == var.v19 && jsonencode(filemd5("hello.txt/x")) != ""
    error_message = "Another result."
  }
}

variable "v20" {
  default = 0

  validation {
    condition     = var.v20 == var.v20 && jsonencode(log(1e400, 10)) != ""
    error_message = "Another result."
  }
}

variable "v21" {
  default = 0

  validation {
    condition     = var.v21 == var.v21 && jsonencode(pow(2, 1e400)) != ""
    error_message = "Another result."
  }
}
