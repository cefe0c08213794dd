variable "fish" {
  description = "who lives there"
  default     = "carp"
}
