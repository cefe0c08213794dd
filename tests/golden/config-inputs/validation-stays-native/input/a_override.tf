variable "region" {
  default     = "us-2"
  description = "Where."
}

variable "ports" {
  type     = set(number)
  nullable = false
}
