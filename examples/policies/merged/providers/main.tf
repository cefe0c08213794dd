# verdict: backend-remote terraform.backend.local
# verdict: default-tags provider.aws.elsewhere
# verdict: module-providers module.dns
# verdict: module-version module.dns
# verdict: provider-aliases terraform.required_providers.aws
# verdict: provider-credentials provider.aws
# verdict: provider-declared aws_eip.two
# verdict: provider-endpoint provider.aws
# verdict: provider-pinned terraform.required_providers.null
# verdict: provider-region provider.aws.west
# verdict: provider-source terraform.required_providers.null
# verdict: required-version terraform
terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      version               = "~> 5.0"
      configuration_aliases = [aws.a, aws.b]
    }
    random = "~> 3.5"
    null = {
      source = "example/null"
    }
  }

  backend "local" {
    path = "local.tfstate"
  }
}

provider "aws" {
  region     = "eu-west-1"
  access_key = "test"
  secret_key = var.region

  default_tags {
    tags = { Team = "net" }
  }

  endpoints {
    ec2 = "http://localhost:4566"
    sts = "http://localhost:4566"
  }
}

provider "aws" {
  alias  = "west"
  region = "us-west-2"

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
  provider = aws.east
}

data "aws_region" "here" {
  provider = aws
}

module "dns" {
  source  = "terraform-aws-modules/route53/aws"
  version = null

  providers = {
    aws = aws.north
  }
}

variable "region" {
  type        = string
  description = "Where."
}
