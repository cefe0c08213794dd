tags = { env = "x" }
