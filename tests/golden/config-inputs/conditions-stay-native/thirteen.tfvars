limit = 13
