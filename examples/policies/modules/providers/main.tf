terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    random = "~> 3.5"
    null = {
      source  = "hashicorp/null"
      version = "3.2.1"
    }
  }

  backend "s3" {
    bucket  = "states"
    key     = "providers"
    encrypt = true
  }
}

provider "aws" {
  region = "eu-west-1"

  default_tags {
    tags = { Team = "net" }
  }
}

provider "aws" {
  alias  = "west"
  region = "eu-west-2"

  default_tags {
    tags = { Team = "net" }
  }
}

provider "aws" {
  alias  = "elsewhere"
  region = var.region
}

resource "aws_eip" "one" {
  provider = aws.west
}

resource "aws_eip" "two" {
  provider = aws.west
}

data "aws_region" "here" {
  provider = aws
}

module "dns" {
  source  = "terraform-aws-modules/route53/aws"
  version = "4.1.0"

  providers = {
    aws      = aws
    aws.west = aws.west
  }
}

variable "region" {
  type        = string
  description = "Where."
}
