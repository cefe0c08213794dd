resource "terraform_data" "pond" {
  input            = "pike"
  triggers_replace = 1
  count            = 1
}
resource "terraform_data" "pond" {
  triggers_replace = 2
}
