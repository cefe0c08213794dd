variable "from" {}

data "terraform_remote_state" "net" {
  backend  = "local"
  config   = { path = "${path.module}/none.tfstate" }
  defaults = { a = 1 }
}

resource "terraform_data" "in" {
  lifecycle {
    ignore_changes = all

    precondition {
      condition     = var.from != "" || data.terraform_remote_state.net.defaults != null
      error_message = "No."
    }
  }
}
