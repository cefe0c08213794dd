variable "index" {
  type = number
}

resource "terraform_data" "node" {
  input = var.index
}
