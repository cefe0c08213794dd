resource "terraform_data" "one" {
  lifecycle {
    replace_triggered_by = [terraform_data.absent]
  }

  provisioner "local-exec" {
    command = "true"
  }
}

resource "terraform_data" "two" {
  input = terraform_data.one.id
}
