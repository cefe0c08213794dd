fish = "zz"
