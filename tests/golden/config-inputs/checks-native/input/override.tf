variable "name" {
  default = "two"
}

resource "terraform_data" "r" {
  input = "${var.name}!"
}
