module "m" { source = "./m" }
provider "terraform" { alias = "a" }
module "n" {
  source = "./n"
  providers = { terraform.x = terraform.a, terraform.b = terraform.a }
}
