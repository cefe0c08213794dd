region = "from-auto-tfvars"
