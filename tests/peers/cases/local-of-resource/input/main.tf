resource "terraform_data" "base" {
  input = "base"
}

locals {
  parts = { web = terraform_data.base }
}

resource "terraform_data" "part" {
  for_each = local.parts
  input    = each.key
}
