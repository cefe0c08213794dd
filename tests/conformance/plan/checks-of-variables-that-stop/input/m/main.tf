variable "one" {
  validation {
    condition     = var.one["x"]
    error_message = "One."
  }
}

variable "two" {
  validation {
    condition     = var.two == {} ? null : true
    error_message = "Two."
  }
}

variable "three" {
  validation {
    condition     = var.three != null
    error_message = "Three."
  }
}

variable "four" {
  validation {
    condition     = var.four != null
    error_message = "Four."
  }
}

variable "five" {
  default = 5

  validation {
    condition     = var.five > 1 && var.one != null
    error_message = "Five."
  }
}
