resource "terraform_data" "lake" {
  input = "perch"
}
