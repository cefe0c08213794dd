output "fish" {
  value = "carp"
}
resource "terraform_data" "sea" {
}
