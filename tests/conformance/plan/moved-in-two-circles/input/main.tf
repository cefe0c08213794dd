moved {
  from = terraform_data.a
  to   = terraform_data.b
}

moved {
  from = terraform_data.b
  to   = terraform_data.a
}

moved {
  from = module.p
  to   = module.q
}

moved {
  from = module.q
  to   = module.p
}
