terraform {
  backend "s3" {
    bucket = "dev-states"
    key    = "storage"
  }
}

resource "aws_s3_bucket" "site" {
  acl = "public-read"

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
}

resource "aws_s3_bucket" "logs" {
  acl = "${var.password == "" ? "private" : "log-delivery-write"}"
}

resource "aws_db_instance" "main" {
  allocated_storage   = 500
  deletion_protection = null
  password            = "$${not-a-reference}"

  # Merged argument by argument: prevent_destroy and the condition stay.
  lifecycle {
    ignore_changes = all
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
}

output "endpoint" {
  sensitive = false
}
