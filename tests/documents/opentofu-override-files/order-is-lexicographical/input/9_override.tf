resource "terraform_data" "pond" {
  input = "nine"
}
