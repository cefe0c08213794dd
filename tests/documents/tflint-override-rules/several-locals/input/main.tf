locals {
  fish = "carp"
}
locals {
  plant = "reed"
}
