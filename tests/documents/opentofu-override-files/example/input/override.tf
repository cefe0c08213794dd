resource "terraform_data" "pond" {
  triggers_replace = "autumn"
}
