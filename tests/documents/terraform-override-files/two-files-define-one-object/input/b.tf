resource "terraform_data" "pond" {
  input = "tench"
}
