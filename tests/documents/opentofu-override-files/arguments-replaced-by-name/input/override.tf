resource "terraform_data" "pond" {
  input            = { fish = "tench" }
  triggers_replace = 7
}
