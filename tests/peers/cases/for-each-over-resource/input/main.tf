resource "terraform_data" "net" {
  for_each = { a = "10.1.0.0/16", b = "10.2.0.0/16" }
  input    = each.value
}

resource "terraform_data" "subnet" {
  for_each = terraform_data.net
  input    = each.value.input
}
