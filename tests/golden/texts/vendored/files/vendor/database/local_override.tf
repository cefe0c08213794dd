# What upstream does not have yet.
variable "backup_retention_period" {
  default = 35
}

resource "aws_db_instance" "this" {
  instance_class = "db.r7g.large"

  timeouts {
    create = "90m"
  }

  lifecycle {
    ignore_changes = [engine_version, snapshot_identifier]
  }
}

resource "aws_security_group" "this" {
  ingress {
    description     = "Jump host"
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = ["sg-0123456789abcdef0"]
  }
}

output "address" {
  value     = aws_db_instance.this.endpoint
  sensitive = false
}
