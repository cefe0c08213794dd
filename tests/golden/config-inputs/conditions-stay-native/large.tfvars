limit = 100
