stage = "test"
