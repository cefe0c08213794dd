resource "terraform_data" "pond" {
  input = "ten"
}
