variable "s" {
  default = "k"
  sensitive = true
}
module "m" { 
  source = "./m"
  a = "k"
  b = "k"
  s = "k"
  e = "k"
}
