resource "terraform_data" "pond" {
  connection {
    host = "over.test"
  }
}
