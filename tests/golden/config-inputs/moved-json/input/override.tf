resource "terraform_data" "new" {
  input = "${var.size} wins"
}
