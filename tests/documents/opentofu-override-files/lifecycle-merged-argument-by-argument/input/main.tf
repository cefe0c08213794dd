resource "terraform_data" "pond" {
  lifecycle {
    ignore_changes  = [input]
    prevent_destroy = true
  }
}
