module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
}

moved {
  from = module.m["a"].terraform_data.gone
  to   = module.m["b"].terraform_data.new
}

moved {
  from = module.m["z"].terraform_data.old
  to   = module.m["z"].terraform_data.new
}
