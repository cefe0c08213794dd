fish = "prod"
