module "pond" {
  source = "./pond"
  depth  = 1
}
module "lake" {
  source = "./lake"
}
