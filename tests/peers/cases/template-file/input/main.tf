resource "terraform_data" "policy" {
  input = templatefile("${path.module}/policy.tftpl", { bucket = "logs", actions = ["get", "list"] })
}
