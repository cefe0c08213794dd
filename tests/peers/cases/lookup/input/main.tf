variable "env" {
  type    = string
  default = "stage"
}

locals {
  sizes = {
    dev   = "small"
    stage = "medium"
  }
}

resource "terraform_data" "host" {
  input = lookup(local.sizes, var.env, "none")
}
