resource "terraform_data" "new" {
  input            = "override"
  triggers_replace = [var.size]
}

resource "terraform_data" "many" {
  count = var.size + 2
}

module "net" {
  cidr = "172.16.0.0/12"
}
