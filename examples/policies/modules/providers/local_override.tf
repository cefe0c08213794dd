terraform {
  backend "local" {
    path = "local.tfstate"
  }

  required_providers {
    aws = {
      source                = "hashicorp/aws"
      version               = "~> 5.0"
      configuration_aliases = [aws.a, aws.b]
    }
    null = {
      source = "example/null"
    }
  }
}

provider "aws" {
  access_key = "test"
  secret_key = var.region

  endpoints {
    ec2 = "http://localhost:4566"
    sts = "http://localhost:4566"
  }
}

# Only the configuration of this alias.
provider "aws" {
  alias  = "west"
  region = "us-west-2"
}
