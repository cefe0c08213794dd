name = ""
