module "key" {
  source = "./key"
}

module "store" {
  source = "./store"
  key    = module.key.alias
}
