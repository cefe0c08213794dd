variable "key" {
  type = string
}

resource "terraform_data" "store" {
  input = var.key
}
