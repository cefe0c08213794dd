module "pond" {
  depth = 2
  fish  = "carp"
}
