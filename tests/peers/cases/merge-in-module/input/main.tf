module "bucket" {
  source   = "./bucket"
  for_each = toset(["logs"])
  name     = each.key
  tags     = { team = "net" }
}
