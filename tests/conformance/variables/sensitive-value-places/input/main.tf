variable "s" {
  type      = string
  sensitive = true
  validation {
    condition     = length(var.s) > 3
    error_message = "short"
  }
}
variable "n" {
  type      = number
  sensitive = true
}
variable "q" {
  type      = number
  sensitive = true
  nullable  = false
}
