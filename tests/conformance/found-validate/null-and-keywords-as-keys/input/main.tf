module "m" { source = "./m" }
variable "l" { default = ["a"] }
resource "terraform_data" "x" {
  input = 1
  provisioner "local-exec" {
    command = "a"
  }
}
data "terraform_remote_state" "s" {
  backend = "local"
}
resource "terraform_data" "n" {
  count = 2
}
resource "terraform_data" "k" {
  for_each = toset(["a"])
}
output "a" { value = can(terraform_data.x[null]) }
output "b" { value = can(terraform_data.n[null].id) }
output "c" { value = can(terraform_data.n[0].id[null]) }
output "d" { value = can(terraform_data.n[true].id) }
output "e" { value = can(terraform_data.k["a"].output.x[null].y) }
output "f" { value = can(terraform_data.x.id[true]) }
output "g" { value = can(terraform_data.x.output[true]) }
output "h" { value = can(terraform_data.x.output.a[null]) }
output "i" { value = can(terraform_data.x.output[*].a[null]) }
output "j" { value = can(module.m.o[null]) }
output "k" { value = can(module.m[null].o) }
output "l" { value = can(var.l[null]) }
output "m" { value = can(data.terraform_remote_state.s.outputs[null]) }
output "n" { value = can(data.terraform_remote_state.s.outputs[false].x) }
output "o" { value = can(terraform_data.n[*].id[null]) }
output "p" { value = can((terraform_data.x.id)[null]) }
output "q" { value = can(terraform_data.x.output[null]["a"]) }
output "r" { value = can(terraform_data.x[true].id) }
output "s" { value = can(terraform_data.x.triggers_replace[(null)]) }
