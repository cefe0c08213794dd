ports = [0, 80]
