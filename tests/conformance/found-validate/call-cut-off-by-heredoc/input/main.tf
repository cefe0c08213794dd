output "a" {
  value       = 1
  description = upper(<<-EOT
    text
    EOT, "d")
}
