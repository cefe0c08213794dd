variable "zones" {
  type    = list(string)
  default = ["north", "south"]
}

module "zone" {
  source   = "./zone"
  for_each = { for zone in var.zones : zone => zone }
  name     = each.value
}
