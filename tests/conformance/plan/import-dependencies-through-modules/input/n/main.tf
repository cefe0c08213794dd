resource "terraform_data" "in_n" {}
