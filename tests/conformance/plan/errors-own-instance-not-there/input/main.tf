resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
  input    = terraform_data.keyed["z"].id
}

resource "terraform_data" "counted" {
  count = 1
  input = try(terraform_data.counted[3].id, "none")
}
