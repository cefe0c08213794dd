variable "name" {
  type = string
}

variable "password" {
  type      = string
  sensitive = true
}

variable "instance_class" {
  type    = string
  default = "db.t4g.medium"
}

variable "backup_retention_period" {
  type    = number
  default = 14
}

resource "aws_db_instance" "this" {
  identifier              = var.name
  engine                  = "postgres"
  engine_version          = "16.4"
  instance_class          = var.instance_class
  allocated_storage       = 50
  storage_encrypted       = true
  username                = "app"
  password                = var.password
  backup_retention_period = var.backup_retention_period
  deletion_protection     = true
  skip_final_snapshot     = false

  timeouts {
    create = "60m"
    delete = "2h"
  }

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [engine_version]
  }
}

resource "aws_security_group" "this" {
  name = var.name

  ingress {
    description = "Applications"
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/8"]
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

output "address" {
  value = aws_db_instance.this.address
}
