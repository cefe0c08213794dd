terraform {
  required_version = ">= 1.5"

  cloud {
    organization = "base"
    hostname     = "app.example.com"

    workspaces {
      name    = "one"
      project = "p"
    }
  }
}

resource "terraform_data" "r" {
  input = 1
}
