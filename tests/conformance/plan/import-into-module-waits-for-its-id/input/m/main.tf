resource "terraform_data" "in" {}

resource "terraform_data" "late" {}

resource "terraform_data" "after" {
  input = terraform_data.late.id
}
