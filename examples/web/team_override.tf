locals {
  name = "${var.environment}-web"
}

module "alarm" {
  threshold = 0.95
}

output "addresses" {
  value = aws_instance.web[*].public_ip
}
