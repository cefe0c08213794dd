module "plan" {
  source = "./plan"
}

module "node" {
  source = "./node"
  count  = module.plan.nodes
  index  = count.index
}
