module "store" {
  source = "./store"
  class  = null
}
