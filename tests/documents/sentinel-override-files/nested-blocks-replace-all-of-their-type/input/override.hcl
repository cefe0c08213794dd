mock "clock" {
  module {
    source = "./b.sentinel"
  }
}
