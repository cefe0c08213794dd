resource "terraform_data" "pond" {
  provisioner "local-exec" {
    command = "false"
  }
}
