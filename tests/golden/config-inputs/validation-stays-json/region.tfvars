region = ""
