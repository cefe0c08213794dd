output "a" {
  value       = 1
  description = upper("x"
