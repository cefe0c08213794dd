variable "base" {}

resource "terraform_data" "top" {
  input = var.base

  lifecycle {
    create_before_destroy = true
  }
}
