bogus = 1
