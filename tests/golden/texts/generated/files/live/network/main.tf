terraform {
  required_version = ">= 1.3"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "name" {
  type = string
}

variable "cidr" {
  type = string
}

variable "zones" {
  type = list(string)
}

resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_hostnames = true
  tags                 = { Name = var.name }
}

resource "aws_subnet" "private" {
  for_each = { for index, zone in var.zones : zone => index }

  vpc_id            = aws_vpc.this.id
  availability_zone = "eu-west-1${each.key}"
  cidr_block        = cidrsubnet(var.cidr, 4, each.value)
  tags              = { Name = "${var.name}-private-${each.key}" }
}

output "vpc_id" {
  value = aws_vpc.this.id
}

output "private_subnets" {
  value = [for subnet in aws_subnet.private : subnet.id]
}
