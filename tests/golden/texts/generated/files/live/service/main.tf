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

variable "replicas" {
  type = number
}

data "terraform_remote_state" "network" {
  backend = "s3"

  config = {
    bucket = "example-state"
    key    = "network/terraform.tfstate"
    region = "eu-west-1"
  }
}

resource "aws_ecs_service" "this" {
  name            = var.name
  task_definition = "${var.name}:12"
  desired_count   = var.replicas

  network_configuration {
    subnets = data.terraform_remote_state.network.outputs.private_subnets
  }
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/ecs/${var.name}"
  retention_in_days = 90
}
