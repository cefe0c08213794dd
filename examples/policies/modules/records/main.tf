terraform {
  required_version = ">= 1.9"
}

variable "plain" {
  description = "Anything."
  type        = map(object({ size = optional(number, 1), tags = list(string) }))
}

variable "office_cidr" {
  type = string

  validation {
    condition     = can(cidrnetmask(var.office_cidr))
    error_message = "Not a network."
  }
}

variable "home_cidr" {
  description = "A network."
  type        = string
}

moved {
  from = aws_instance.a
  to   = aws_instance.b
}

moved {
  from = aws_instance.c
  to   = aws_spot_instance_request.c
}

import {
  to = aws_s3_bucket.logs
  id = "logs"
}

import {
  to = aws_instance.b
  id = var.office_cidr
}

removed {
  from = aws_s3_bucket.old
  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket.older
  lifecycle {
    destroy = true
  }
}

resource "aws_s3_bucket" "logs" {
  bucket = "logs"
  versioning {
    enabled = "true"
  }
  tags = { Owner = "x" }
}

resource "aws_instance" "b" {
  instance_type = "t3.${"micro"}"
  metadata_options {
    http_tokens = "required"
  }
  tags = { Owner = "x" }
}

resource "aws_spot_instance_request" "c" {
}

check "health" {
  data "http" "site" {
    url = "https://example.com"
  }
  assert {
    condition     = data.http.site.status_code == 200
    error_message = "Down."
  }
}

output "all" {
  value = { for name, one in var.plain : name => one.tags if one.size > 0 }
}
