# Laid beside the module by a tool for work against LocalStack.

terraform {
  backend "local" {
    path = "localstack.tfstate"
  }
}

provider "aws" {
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true
  skip_requesting_account_id  = true

  endpoints {
    ec2 = "http://localhost:4566"
    sts = "http://localhost:4566"
  }
}
