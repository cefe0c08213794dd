variable "proxy" {
  type    = object({ host = string })
  default = null
}

resource "terraform_data" "proxy" {
  count = var.proxy != null ? 1 : 0
  input = var.proxy.host
}
