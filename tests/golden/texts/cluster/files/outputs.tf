output "cluster_arn" {
  value = aws_eks_cluster.this.arn
}

output "cluster_endpoint" {
  value = aws_eks_cluster.this.endpoint
}

output "node_groups" {
  value = { for name, group in module.node_group : name => group.arn }
}
