variable "sides" {
  type = map(string)
}

variable "list" {
  type = list(string)
}

variable "pairs" {
  type = map(object({ id = string, size = number, name = optional(string, "unnamed") }))
}

output "sides" {
  value = var.sides
}

output "list" {
  value = var.list
}

output "pairs" {
  value = var.pairs
}

output "names" {
  value = [for key, pair in var.pairs : "${key} ${pair.name} ${pair.size}"]
}

resource "crate_item" "each" {
  for_each = var.pairs
  name     = "${each.key} ${each.value.size}"
}
