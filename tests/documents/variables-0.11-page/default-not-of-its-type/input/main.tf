variable "fish" {
  type    = "map"
  default = "carp"
}
