tags = { owner = "x", env = "d", "" = "y" }
