moved {
  from = module.network
  to   = module.net
}

moved {
  from = module.net.terraform_data.subnet["a b"]
  to   = module.net.terraform_data.part
}
