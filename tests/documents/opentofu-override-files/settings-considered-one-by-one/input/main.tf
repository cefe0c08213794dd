terraform {
  required_version = ">= 1.0"
  required_providers {
    pond = "1.0.0"
  }
  backend "local" {
    path = "base.tfstate"
  }
}
