fish = "two"
