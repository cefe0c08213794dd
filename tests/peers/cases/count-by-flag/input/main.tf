variable "on" {
  type    = bool
  default = false
}

resource "terraform_data" "extra" {
  count = var.on ? 1 : 0
  input = "extra"
}
