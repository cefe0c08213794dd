tags = { owner = "" }
