data "aws_partition" "current" {}

locals {
  policy_prefix = "arn:${data.aws_partition.current.partition}:iam::aws:policy"
  tags          = merge({ "managed-by" = "terraform" }, var.tags)
}

resource "aws_eks_cluster" "this" {
  name                      = var.name
  role_arn                  = aws_iam_role.cluster.arn
  version                   = var.kubernetes_version
  enabled_cluster_log_types = var.enabled_log_types

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = false
  }

  vpc_config {
    subnet_ids              = var.subnet_ids
    endpoint_private_access = true
    endpoint_public_access  = var.endpoint_public_access
  }

  encryption_config {
    resources = ["secrets"]

    provider {
      key_arn = aws_kms_key.secrets.arn
    }
  }

  tags = local.tags

  depends_on = [aws_iam_role_policy_attachment.cluster]
}

resource "aws_kms_key" "secrets" {
  description         = "Secrets of ${var.name}"
  enable_key_rotation = true
  tags                = local.tags
}

resource "aws_iam_role" "cluster" {
  name_prefix = "${var.name}-"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = ["sts:AssumeRole", "sts:TagSession"]
      Principal = { Service = "eks.amazonaws.com" }
    }]
  })
  tags = local.tags
}

resource "aws_iam_role_policy_attachment" "cluster" {
  for_each = toset(["AmazonEKSClusterPolicy", "AmazonEKSVPCResourceController"])

  role       = aws_iam_role.cluster.name
  policy_arn = "${local.policy_prefix}/${each.value}"
}

resource "time_sleep" "cluster" {
  create_duration = "30s"

  triggers = {
    name    = aws_eks_cluster.this.name
    version = aws_eks_cluster.this.version
  }
}

module "node_group" {
  source   = "./modules/node-group"
  for_each = var.node_groups

  name           = each.key
  cluster_name   = time_sleep.cluster.triggers["name"]
  subnet_ids     = var.subnet_ids
  instance_types = each.value.instance_types
  min_size       = each.value.min_size
  max_size       = each.value.max_size
  labels         = each.value.labels
  tags           = local.tags
}
