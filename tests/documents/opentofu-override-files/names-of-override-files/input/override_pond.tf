locals {
  f = 6
}
output "all" {
  value = [local.a, local.b, local.c, local.d, local.e, local.f]
}
