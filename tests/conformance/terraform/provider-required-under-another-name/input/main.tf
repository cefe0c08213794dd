terraform {
  required_providers {
    mine = {
      source = "hashicorp/aws"
    }
  }
}

provider "aws" {
  alias = "west"
}

resource "aws_vpc" "implied" {}

resource "aws_vpc" "stated" {
  provider = mine
}

ephemeral "aws_secret" "s" {}

check "c" {
  data "aws_region" "r" {}
  assert {
    condition     = data.aws_region.r.name != ""
    error_message = "No region."
  }
}
