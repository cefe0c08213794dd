output "fish" {
  value       = "carp"
  description = "who lives there"
}
