resource "acme_pond" "garden" {
  depth = 1
  pump {
    kind  = "slow"
    watts = 10
  }
}
