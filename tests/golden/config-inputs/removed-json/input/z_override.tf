resource "terraform_data" "kept" {
  lifecycle {
    create_before_destroy = true
  }
}
