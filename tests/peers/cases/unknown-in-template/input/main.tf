resource "terraform_data" "base" {
  input = "base"
}

resource "terraform_data" "named" {
  input = "${terraform_data.base.id}-a"
}
