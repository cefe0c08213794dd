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

output "branch" {
  value = crate_item.made.name == "x" ? var.codes.b : 1
}

output "elements" {
  value = [for letter in split("", crate_item.made.name) : var.codes.b]
}

output "filtered" {
  value = [for code in [2] : var.codes.b if crate_item.made.name == "x"]
}

output "guarded" {
  value = can(var.codes[crate_item.made.name])
}

output "other" {
  value = var.yes ? crate_item.made.name : var.codes.b
}
