locals {
  zones = ["a", "b"]
}

resource "terraform_data" "zone" {
  input = element(local.zones, 3)
}

resource "terraform_data" "suffix" {
  input = substr("instance-007", -3, -1)
}
