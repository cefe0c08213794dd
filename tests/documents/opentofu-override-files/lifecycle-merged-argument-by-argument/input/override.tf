resource "terraform_data" "pond" {
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = false
  }
}
