region = "from-terraform-tfvars"
tier   = "from-terraform-tfvars"
