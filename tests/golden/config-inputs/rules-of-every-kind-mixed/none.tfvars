tags = { owner = "x", env = "none" }
