limit = 7
