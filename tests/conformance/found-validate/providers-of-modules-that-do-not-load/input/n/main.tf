terraform {
  required_providers {
    mine = { source = "terraform.io/builtin/terraform" }
    other = { source = "x/y" }
  }
}
output "x" {}
