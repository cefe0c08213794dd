fish = "one"
