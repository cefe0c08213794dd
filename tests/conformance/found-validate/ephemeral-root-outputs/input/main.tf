output "a" {
  value     = var.nothing
  ephemeral = true
}
output "b" {
  value      = nofunc(terraform_data.none.x)
  ephemeral  = true
  depends_on = [terraform_data.nowhere]
  precondition {
    condition     = terraform_data.nowhere2.id
    error_message = null
  }
}
locals { bad = tonumber("x") }
output "c" {
  value     = local.bad
  ephemeral = true
}
output "d" {
  value     = "plain"
  ephemeral = true
  sensitive = true
}
module "m" { source = "./m" }
