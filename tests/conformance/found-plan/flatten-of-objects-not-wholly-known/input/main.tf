resource "terraform_data" "r" {
  input = 1
}
output "a" {
  value = flatten(terraform_data.r)
}
output "b" {
  value = flatten({ a = terraform_data.r.id })
}
output "c" {
  value = try(flatten({ a = terraform_data.r.id }), "e")
}
output "d" {
  value = can(flatten({ a = terraform_data.r.id }))
}
output "e" {
  value = try(flatten(terraform_data.r), "e")
}
output "f" {
  value = try(flatten(terraform_data.r.id), "e")
}
output "g" {
  value = try(flatten("x${terraform_data.r.id}"), "e")
}
output "h" {
  value = flatten({ z = 1, a = terraform_data.r.id, b = [2, { c = 3 }] })
}
output "i" {
  value = flatten(tomap({ z = [terraform_data.r.id], a = ["x", "y"] }))
}
output "j" {
  value = try(flatten({ z = 1 }), "not flat")
}
output "k" {
  sensitive = true
  value     = flatten(sensitive({ z = terraform_data.r.id, a = 1 }))
}
