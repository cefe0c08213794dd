terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
  }
}
provider "tf" { alias = "a" }
module "n" {
  source = "./n"
  providers = { other = tf.a }
}
