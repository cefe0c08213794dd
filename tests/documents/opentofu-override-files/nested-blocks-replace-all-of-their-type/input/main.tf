resource "acme_pond" "garden" {
  pump {
    watts = 10
  }
  pump {
    watts = 20
  }
  net {
    mesh = 4
  }
}
