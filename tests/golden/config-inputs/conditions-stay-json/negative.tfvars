limit = -1
