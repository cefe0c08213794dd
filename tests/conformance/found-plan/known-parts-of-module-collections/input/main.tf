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

module "wing" {
  source = "./wing"
  sides  = { left = crate_item.made.name, right = "r" }
  list   = [crate_item.made.name, "second"]
  pairs  = { one = { id = crate_item.made.name, size = 1 } }
}

output "wing" {
  value = module.wing
}
