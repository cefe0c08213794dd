terraform {
  required_version = ">= 1.5.7"
}

provider "aws" {
  region = var.region
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "subnet_ids" {
  description = "Private subnets"
  type        = list(string)
}

module "cluster" {
  source = "../.."

  name               = "example"
  kubernetes_version = "1.33"
  subnet_ids         = var.subnet_ids

  node_groups = {
    general = { min_size = 2, max_size = 9 }
    spot    = { instance_types = ["c6i.xlarge"], labels = { pool = "batch" } }
  }
}

module "backup" {
  source = "../../modules/pod-identity"

  name         = "backup"
  cluster_name = "example"
  namespace    = "operations"
}

output "endpoint" {
  value = module.cluster.cluster_endpoint
}
