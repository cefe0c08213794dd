terraform {
  backend "local" {
    path = "base.tfstate"
  }
}
