resource "terraform_data" "old" {}

moved {
  from = terraform_data.old
  to   = terraform_data.new
}

moved {
  from = terraform_data.gone
  to   = terraform_data.new
}
