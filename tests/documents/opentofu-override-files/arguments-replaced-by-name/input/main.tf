resource "terraform_data" "pond" {
  input = { fish = "carp", depth = 2 }
  count = 1
}
