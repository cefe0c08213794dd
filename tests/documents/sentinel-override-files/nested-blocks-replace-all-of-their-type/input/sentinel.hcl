mock "clock" {
  module {
    source = "./a.sentinel"
  }
}
