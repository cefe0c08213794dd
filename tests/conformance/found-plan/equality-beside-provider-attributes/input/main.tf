resource "terraform_data" "seed" {}

resource "crate_item" "up" {
  for_each = toset(["left"])
  name     = terraform_data.seed.id
}

resource "crate_item" "made" {
  name = terraform_data.seed.id
}

variable "codes" {
  type    = map(number)
  default = { a = 1 }
}

variable "text" {
  type    = string
  default = "none"
}

variable "yes" {
  default = true
}

output "keys" {
  value = { a = crate_item.made.name } == {}
}

output "parts" {
  value = [crate_item.made.name, 1] == [crate_item.made.name, 2]
}

output "kinds" {
  value = [crate_item.made.name] != "x"
}

output "same" {
  value = { a = crate_item.made.name } == { a = "x" }
}

output "lengths" {
  value = [for item in crate_item.up : item.name] == []
}
