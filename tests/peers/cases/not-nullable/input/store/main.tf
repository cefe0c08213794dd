variable "class" {
  type     = string
  default  = "standard"
  nullable = false
}

resource "terraform_data" "store" {
  input = var.class
}
