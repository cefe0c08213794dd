limit = 60
