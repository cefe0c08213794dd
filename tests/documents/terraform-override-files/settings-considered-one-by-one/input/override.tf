terraform {
  backend "local" {
    path = "over.tfstate"
  }
}
