resource "acme_pond" "garden" {
  pump {
    watts = 10
    hours = 8
    filter {
      layers = 2
    }
  }
}
