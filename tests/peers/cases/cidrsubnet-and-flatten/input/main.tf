locals {
  tiers = { app = ["x", "y"], db = ["z"] }
}

resource "terraform_data" "subnet" {
  input = cidrsubnet("10.20.0.0/16", 8, 5)
}

resource "terraform_data" "pairs" {
  input = flatten([for tier, names in local.tiers : [for name in names : "${tier}-${name}"]])
}
