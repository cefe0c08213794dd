module "value" {
  source = "./shed"
  label  = "x-${each.value.name}"
}

module "several" {
  source = "./shed"
  label  = { key = each.key, index = count.index, value = each.value["q"] }
}

module "counted" {
  source = "./shed"
  count  = 1
  label  = [count.index, each.value]
}

module "keyed" {
  source   = "./shed"
  for_each = toset(["a"])
  label    = "${each.key}${count.index}"
}

module "branch" {
  source = "./shed"
  label  = false ? each.key : "other"
}

module "tried" {
  source = "./shed"
  label  = try(each.key, "other")
}

module "bound" {
  source = "./shed"
  label  = [for each in ["x"] : each]
}

module "none" {
  source = "./shed"
  count  = 0
  label  = each.key
}
