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

output "fallback" {
  value = try(crate_item.up["right"].name, "fallback")
}

output "possible" {
  value = can(crate_item.up["right"])
}

output "there" {
  value = try(crate_item.up["left"].name, "fallback")
}

output "nested" {
  value = try([crate_item.made.name, crate_item.up["right"].name], var.text)
}
