b = "file"
