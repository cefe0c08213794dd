terraform {
  required_version = ">= 1.6"

  backend "local" {
    path = "state"
  }
}

resource "aws_s3_bucket" "site" {
  acl = "public-read"
}

resource "aws_security_group" "web" {
  ingress {
    from_port   = 0
    to_port     = 65535
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

variable "token" {}
