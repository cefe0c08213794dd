variable "name" {
  type = string
}

resource "terraform_data" "zone" {
  input = "zone-${var.name}"
}
