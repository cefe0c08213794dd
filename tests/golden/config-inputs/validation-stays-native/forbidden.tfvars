region = "xx-0"
