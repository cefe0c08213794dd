variable "value" {
  type = string
}

resource "terraform_data" "entry" {
  input = var.value
}
