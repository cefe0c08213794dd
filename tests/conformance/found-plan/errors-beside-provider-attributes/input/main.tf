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

output "sum" {
  value = [crate_item.made.name, 1 + tonumber(var.text)]
}

output "key" {
  value = { id = crate_item.made.name, (var.codes["b"]) = 1 }
}

output "chosen" {
  value = var.yes ? [crate_item.made.name, var.codes.b] : []
}

output "each" {
  value = [for side, item in crate_item.up : [item.name, var.codes[side]]]
}

output "filter" {
  value = { for side, item in crate_item.up : side => item.name if var.codes[side] > 0 }
}

output "splat" {
  value = [crate_item.made.name, values(crate_item.up)[1].name]
}

output "joined" {
  value = join("-", [crate_item.made.name, crate_item.up["right"].name])
}

output "expanded" {
  value = max([length(crate_item.up), var.codes.b]...)
}

output "twice" {
  value = "${crate_item.made.name}${var.codes["x"]}${var.codes["y"]}"
}
