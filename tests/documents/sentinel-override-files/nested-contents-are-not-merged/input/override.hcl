mock "clock" {
  module {
  }
}
