# verdict: backend-encrypted terraform.backend.s3
# verdict: bucket-acl-unknown aws_s3_bucket.logs
# verdict: bucket-expiry aws_s3_bucket.site
# verdict: bucket-public aws_s3_bucket.site
# verdict: bucket-versioned aws_s3_bucket.site
# verdict: checked aws_db_instance.main
# verdict: connection-password aws_db_instance.main
# verdict: database-password aws_db_instance.main
# verdict: database-protected aws_db_instance.main
# verdict: database-protected aws_db_instance.replica
# verdict: database-size aws_db_instance.main
# verdict: depends-on-module aws_s3_bucket.logs
# verdict: ignore-all aws_db_instance.main
# verdict: ignore-tags aws_db_instance.replica
# verdict: module-ref module.backup
# verdict: no-destroy-provisioner aws_db_instance.main
# verdict: no-local-exec aws_db_instance.main
# verdict: output-sensitive output.endpoint
# verdict: prevent-destroy aws_db_instance.replica
# verdict: repeated-by-variable aws_db_instance.replica
# verdict: repeated-by-variable module.backup
# verdict: replaced-by aws_db_instance.replica
# verdict: tag-owner aws_db_instance.replica
# verdict: variable-default-large var.replicas
# verdict: variable-null var.password
# verdict: variable-sensitive var.password
terraform {
  required_version = ">= 1.5"

  backend "s3" {
    bucket = "dev-states"
    key    = "storage"
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
  acl    = "public-read"

  versioning {
    enabled = false
  }

  lifecycle_rule {
    enabled = true
    expiration {
      days = 90
    }
  }
  lifecycle_rule {
    enabled = true
    prefix  = "tmp/"
    expiration {
      days = "7"
    }
  }

  tags = {
    Owner = local.owner
  }
}

resource "aws_s3_bucket" "logs" {
  bucket = "logs"
  acl    = "${var.password == "" ? "private" : "log-delivery-write"}"

  depends_on = [module.backup]

  versioning {
    enabled = true
  }

  tags = merge({ Owner = local.owner }, {})
}

resource "aws_db_instance" "main" {
  allocated_storage   = 500
  deletion_protection = null
  password            = "$${not-a-reference}"

  depends_on = [aws_s3_bucket.site, terraform_data.schema]

  connection {
    password = self.password
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id}"
  }
  provisioner "remote-exec" {
    inline = ["true"]
    connection {
      password = "hunter2"
    }
  }
  provisioner "local-exec" {
    command = "true"
  }

  lifecycle {
    prevent_destroy = true
    ignore_changes  = all

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
  deletion_protection = var.replicas > 1

  lifecycle {
    prevent_destroy      = false
    ignore_changes       = [tags["a"]]
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
    owner = "data"
  }
}

module "backup" {
  source   = "git::https://example.com/backup.git"
  for_each = toset(var.replicas > 1 ? ["a"] : [])
}

variable "password" {
  type        = string
  description = "Of the database."
  sensitive   = false
  default     = null
}

variable "replicas" {
  type        = number
  description = "How many."
  default     = 12.5
}

output "endpoint" {
  value     = var.password
  sensitive = false
}
