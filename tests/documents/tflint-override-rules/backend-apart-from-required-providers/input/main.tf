terraform {
  backend "local" {
  }
}
terraform {
  required_providers {
    pond = {}
  }
}
