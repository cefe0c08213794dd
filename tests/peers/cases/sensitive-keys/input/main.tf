variable "users" {
  type      = set(string)
  default   = ["ann", "bob"]
  sensitive = true
}

resource "terraform_data" "user" {
  for_each = var.users
  input    = each.key
}
