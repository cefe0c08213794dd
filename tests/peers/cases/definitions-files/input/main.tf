variable "region" {
  type    = string
  default = "from-default"
}

variable "tier" {
  type    = string
  default = "from-default"
}

resource "terraform_data" "region" {
  input = var.region
}

resource "terraform_data" "tier" {
  input = var.tier
}
