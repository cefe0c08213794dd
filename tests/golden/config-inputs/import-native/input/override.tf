locals {
  ids = { a = "id-z" }
}

resource "terraform_data" "one" {
  input = [for id in local.ids : upper(id)]
}
