variable "o" {
  type = object({ a = string, b = list(string) })
}

variable "t" {
  type = tuple([string, number])
}

output "number_key" {
  value = var.o[0]
}

output "text_key" {
  value = var.o["nope"]
}

output "key_of_local" {
  value = var.o[local.k]
}

locals {
  k = "nope"
}

output "tried" {
  value = try(var.o["nope"], 1)
}

output "can" {
  value = can(var.o["nope"])
}

output "dot" {
  value = var.o.b["x"]
}

output "tuple_beyond" {
  value = try(var.t[5], 1)
}

output "bool_key" {
  value = var.o[true]
}

resource "terraform_data" "x" {
  input = var.o[0]
}
