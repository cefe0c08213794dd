terraform {
  required_version = ">= 1.3, < 2.0"
}

variable "environment" {
  type    = string
  default = "production"
}

variable "database_password" {
  type      = string
  sensitive = true
}

module "database" {
  source   = "./vendor/database"
  name     = "billing-${var.environment}"
  password = var.database_password
}

output "address" {
  value = module.database.address
}
