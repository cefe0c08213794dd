terraform {
  required_providers {
    mine = {
      source = "example/mine"
    }
  }
}

provider "aws" {}

provider "local" {
  setting = 1
}

module "m" {
  source = "./m"
  providers = {
    gone = google
  }
}
