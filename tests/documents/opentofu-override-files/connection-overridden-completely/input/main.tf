resource "terraform_data" "pond" {
  connection {
    host = "base.test"
    user = "root"
  }
}
