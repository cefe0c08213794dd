variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "new" {
  input = "base"
}

resource "terraform_data" "many" {
  count = 2
  input = count.index
}

module "net" {
  source = "./net"
  cidr   = "10.0.0.0/8"
}

moved {
  from = terraform_data.old
  to   = terraform_data.new
}

moved {
  from = terraform_data.single
  to   = terraform_data.many[0]
}
