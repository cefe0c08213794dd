import {
  to = module.m.terraform_data.in
  id = "in"
}

resource "terraform_data" "early" {}

resource "terraform_data" "named" {
  input = terraform_data.early.id
}

resource "terraform_data" "unrelated" {}

module "m" {
  source     = "./m"
  depends_on = [module.n]
  from       = terraform_data.named.id
}

module "n" {
  source = "./n"
}
