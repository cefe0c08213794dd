variable "x" { default = "k" }
variable "y" { default = "d" }
resource "terraform_data" "r" { input = "q" }
module "m" {
  source   = "./m"
  for_each = toset(["k", "z"])
  a        = each.key
  b        = terraform_data.r.id
  c        = var.x
  d        = var.y
}
