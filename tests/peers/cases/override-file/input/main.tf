resource "terraform_data" "disk" {
  input = "plain"
}
