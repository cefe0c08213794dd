variable "env" {
  type    = string
  default = "dev"
}

locals {
  level = var.env == "prod" ? "high" : "low"
  days  = local.level == "high" ? 30 : 7
}

resource "terraform_data" "backup" {
  input = local.days
}
