region = "a long name"
count_of = 0
