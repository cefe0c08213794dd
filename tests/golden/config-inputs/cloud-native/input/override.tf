terraform {
  cloud {
    organization = "override"

    workspaces {
      tags = ["a", "b"]
    }
  }
}

resource "terraform_data" "r" {
  input = 2
}
