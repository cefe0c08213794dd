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

variable "kind" {
  default = "fine"
}

output "fine" {
  value = templatefile("${var.kind}.tpl", { id = crate_item.made.name, list = ["a", "b"] })
}

output "missing" {
  value = templatefile("${var.kind}.tpl", { id = crate_item.made.name })
}

output "wrong" {
  value = templatefile("wrong-${var.kind}.tpl", { id = crate_item.made.name, codes = var.codes })
}

output "before" {
  value = templatefile("before-${var.kind}.tpl", { id = crate_item.made.name, list = [1] })
}
