resource "terraform_data" "web" {
  input = "green"
}
