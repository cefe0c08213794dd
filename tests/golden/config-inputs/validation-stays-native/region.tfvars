region = "nowhere"
