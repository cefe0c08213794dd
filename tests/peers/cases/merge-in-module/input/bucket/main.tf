variable "name" {
  type = string
}

variable "tags" {
  type    = map(string)
  default = {}
}

resource "terraform_data" "bucket" {
  input = merge({ name = var.name, team = "none" }, var.tags)
}
