variable "cidr" {}

resource "terraform_data" "part" {
  input = var.cidr
}
