fish = "auto"
