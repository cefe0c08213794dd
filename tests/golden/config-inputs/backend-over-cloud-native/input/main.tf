terraform {
  cloud {
    organization = "o"

    workspaces {
      name = "w"
    }
  }
}

resource "terraform_data" "r" {}
