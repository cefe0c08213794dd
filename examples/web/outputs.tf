output "addresses" {
  description = "Where the web servers can be reached."
  value       = aws_instance.web[*].private_ip
}

output "alarm" {
  description = "The name of the alarm."
  value       = module.alarm.name
}
