module "none" {
  source = "./entry"
  count  = 0
  value  = "none"
}

module "one" {
  source = "./entry"
  count  = 1
  value  = "one"
}

module "plain" {
  source = "./entry"
  value  = "plain"
}
