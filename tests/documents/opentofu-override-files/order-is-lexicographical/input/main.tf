resource "terraform_data" "pond" {
  input = "carp"
}
