resource "terraform_data" "same" {}

resource "terraform_data" "other" {}
