terraform {
  required_version = "~> 1.9"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.60"
    }
  }

  backend "s3" {
    bucket       = "example-state"
    key          = "orders/terraform.tfstate"
    region       = "eu-central-1"
    encrypt      = true
    use_lockfile = true
  }
}

provider "aws" {
  region = "eu-central-1"

  assume_role {
    role_arn = "arn:aws:iam::111122223333:role/deploy"
  }

  default_tags {
    tags = { service = "orders" }
  }
}

variable "stage" {
  type = string
}

locals {
  name = "orders-${var.stage}"
}

resource "aws_s3_bucket" "invoices" {
  bucket = "${local.name}-invoices"
}

resource "aws_s3_bucket_server_side_encryption_configuration" "invoices" {
  bucket = aws_s3_bucket.invoices.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = "alias/orders"
    }
    bucket_key_enabled = true
  }
}

resource "aws_dynamodb_table" "orders" {
  name         = local.name
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }
}

resource "aws_sqs_queue" "events" {
  name                    = "${local.name}-events"
  sqs_managed_sse_enabled = true
}

output "queue_url" {
  value = aws_sqs_queue.events.url
}
