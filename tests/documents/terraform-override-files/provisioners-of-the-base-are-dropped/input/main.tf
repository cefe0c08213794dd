resource "terraform_data" "pond" {
  provisioner "local-exec" {
    command = "true"
  }
  provisioner "remote-exec" {
    inline = ["true"]
  }
  connection {
    host = "base.test"
  }
}
