terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform", configuration_aliases = [terraform.x, terraform.y] }
  }
}
provider "terraform" {
  alias = "z"
}
data "9a_x" "y" {}
