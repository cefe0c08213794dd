resource "terraform_data" "base" {
  input = "base"
}

module "late" {
  source = "./entry"
  value  = terraform_data.base.id
}

module "early" {
  source = "./entry"
  value  = "known"
}
