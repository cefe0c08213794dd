module "cluster" {
  source = "../.."
  name   = "minimal"
}
