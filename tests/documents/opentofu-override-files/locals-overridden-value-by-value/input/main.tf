locals {
  fish  = "carp"
  depth = 2
}
locals {
  plant = "reed"
}
output "all" {
  value = [local.fish, local.depth, local.plant]
}
