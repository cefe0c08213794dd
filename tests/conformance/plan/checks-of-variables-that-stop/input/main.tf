variable "none" {
  default = {}
}

module "m" {
  source = "./m"
  one    = var.none
  two    = var.none
  three  = var.none["x"]
  four   = terraform_data.failing.id
}

resource "terraform_data" "failing" {
  lifecycle {
    precondition {
      condition     = path.module == "never"
      error_message = "It fails."
    }
  }
}
