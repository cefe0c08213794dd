resource "terraform_data" "pond" {
  input            = "carp"
  triggers_replace = "spring"
}
