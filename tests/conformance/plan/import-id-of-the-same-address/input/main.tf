import {
  to = module.m.terraform_data.same
  id = terraform_data.same.input
}

import {
  to = module.m.terraform_data.other
  id = terraform_data.same.input
}

resource "terraform_data" "same" {
  input = "x"
}

module "m" {
  source = "./m"
}
