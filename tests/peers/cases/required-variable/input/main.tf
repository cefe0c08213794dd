variable "names" {
  type = set(string)
}

resource "terraform_data" "name" {
  for_each = var.names
  input    = each.key
}
