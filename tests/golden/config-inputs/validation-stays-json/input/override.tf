variable "region" {
  default   = "native"
  ephemeral = false
}

variable "count_of" {
  default = "2"
}
