resource "terraform_data" "chosen" {
  input = false ? "first" : "second"
}
