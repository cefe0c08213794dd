resource "terraform_data" "pond" {
  input = "carp"
}
resource "terraform_data" "lake" {
  input = "pike"
}
output "pond" {
  value = 1
}
