resource "acme_pond" "garden" {
  depth = 3
}
