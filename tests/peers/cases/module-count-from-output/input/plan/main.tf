locals {
  names = ["a", "b"]
}

output "nodes" {
  value = length(local.names)
}
