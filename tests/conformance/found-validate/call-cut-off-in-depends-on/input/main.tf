resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x"
    when    = upper("x" "y")
  }
  depends_on = [upper(<<EOT
x
EOT, "y")]
}
