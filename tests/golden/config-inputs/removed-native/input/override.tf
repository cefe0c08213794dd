resource "terraform_data" "kept" {
  input = "override"

  provisioner "local-exec" {
    command = "echo kept"
  }
}
