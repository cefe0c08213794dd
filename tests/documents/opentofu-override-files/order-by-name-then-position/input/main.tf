resource "terraform_data" "pond" {
  input            = "carp"
  triggers_replace = 0
  count            = 0
}
