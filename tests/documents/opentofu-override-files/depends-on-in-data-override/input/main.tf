data "terraform_remote_state" "pond" {
  backend      = "local"
  depends_on = [terraform_data.lake]
}
resource "terraform_data" "lake" {
}
resource "terraform_data" "sea" {
}
