resource "terraform_data" "disk" {
  input = "encrypted"
}
