s = "a"
n = "b"
q = null
