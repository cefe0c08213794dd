terraform {
  required_version = ">= 1.5"

  backend "s3" {
    bucket  = "states"
    key     = "storage"
    encrypt = true
  }
}

locals {
  owner = "data"
}

resource "terraform_data" "schema" {
  input = "1"
}

resource "aws_s3_bucket" "site" {
  bucket = "site"
  acl    = "private"

  versioning {
    enabled = true
  }

  lifecycle_rule {
    enabled = true
    expiration {
      days = 365
    }
  }

  tags = {
    Owner = local.owner
  }
}

resource "aws_s3_bucket" "logs" {
  bucket = "logs"
  acl    = "log-delivery-write"

  depends_on = [module.backup]

  versioning {
    enabled = true
  }

  tags = merge({ Owner = local.owner }, {})
}

resource "aws_db_instance" "main" {
  allocated_storage   = 50
  deletion_protection = true
  password            = var.password

  depends_on = [aws_s3_bucket.site, terraform_data.schema]

  connection {
    password = self.password
  }

  provisioner "remote-exec" {
    inline = ["true"]
  }

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [password]

    postcondition {
      condition     = self.allocated_storage >= 50
      error_message = "Too small."
    }
  }

  tags = {
    Owner = "data"
  }
}

resource "aws_db_instance" "replica" {
  count = var.replicas

  allocated_storage   = 50
  deletion_protection = true

  lifecycle {
    prevent_destroy      = true
    replace_triggered_by = [terraform_data.schema]

    precondition {
      condition     = var.replicas > 0
      error_message = "None."
    }
    precondition {
      condition     = var.replicas < 5
      error_message = "Too many."
    }
  }

  tags = {
    "Owner" = "data"
  }
}

module "backup" {
  source = "git::https://example.com/backup.git?ref=v1"
}

variable "password" {
  type        = string
  description = "Of the database."
  sensitive   = true
}

variable "replicas" {
  type        = number
  description = "How many."
  default     = 1
}

output "endpoint" {
  value     = var.password
  sensitive = true
}
