resource "terraform_data" "lake" {
  input = "pike"
}
