data "terraform_remote_state" "pond" {
  backend      = "pg"
  depends_on = [terraform_data.sea]
}
