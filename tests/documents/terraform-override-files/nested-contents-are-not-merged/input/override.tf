resource "acme_pond" "garden" {
  pump {
    watts = 99
  }
}
