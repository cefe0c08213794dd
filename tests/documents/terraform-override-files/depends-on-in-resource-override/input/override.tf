resource "terraform_data" "pond" {
  input      = "pg"
  depends_on = [terraform_data.sea]
}
