variable "n" {
  type    = number
  default = 1
}
variable "m" {
  type    = map(number)
  default = { a = 1 }
}
variable "l" {
  type    = list(string)
  default = ["a"]
}
output "a" {
  value = [for k in [var.n] : 1 if k]
}
output "b" {
  value = [for k in [var.m["a"]] : 1 if k]
}
output "c" {
  value = [for k in [1] : 1 if k]
}
output "d" {
  value = [for k in [var.l] : 1 if k]
}
output "e" {
  value = [for k in [[var.n]] : 1 if k]
}
output "f" {
  value = { for k in [var.l] : k => 1 }
}
output "g" {
  value = { for k in [[var.n]] : k => 1 }
}
output "h" {
  value = [for k in [var.n, 1] : 1 if k]
}
