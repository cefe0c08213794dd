resource "terraform_data" "plain" {
  input = "native"
}

moved {
  from = terraform_data.oldest
  to   = terraform_data.old
}
