resource "terraform_data" "pond" {
  input = "perch"
}
