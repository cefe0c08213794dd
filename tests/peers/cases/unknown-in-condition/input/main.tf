resource "terraform_data" "base" {
  input = "base"
}

resource "terraform_data" "chosen" {
  input = terraform_data.base.id == "" ? "a" : "b"
}
