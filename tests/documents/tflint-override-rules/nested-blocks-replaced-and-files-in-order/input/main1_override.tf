resource "acme_pond" "garden" {
  depth = 2
  pump {
    watts = 20
  }
}
