variable "fish" {
  type    = "string"
  default = "carp"
}
