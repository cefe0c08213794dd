# Terraform reads this file. OpenTofu reads main.tofu in its place.
module "network" {
  source = "./modules/stable"
  cidr   = "10.0.0.0/16"
}
