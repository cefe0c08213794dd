import {
  to = module.m["a"].terraform_data.in
  id = terraform_data.source.input
}

import {
  to = module.m["b"].terraform_data.late
  id = terraform_data.failing.input
}

resource "terraform_data" "source" {
  input = "id-of-source"
}

resource "terraform_data" "failing" {
  input = "x"

  lifecycle {
    precondition {
      condition     = path.module == "never"
      error_message = "It fails."
    }
  }
}

module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
