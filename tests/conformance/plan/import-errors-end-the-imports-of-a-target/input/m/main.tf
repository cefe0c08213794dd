resource "terraform_data" "one" {
  for_each = toset(["a", "b"])
}

resource "terraform_data" "two" {
  count = 1
}
