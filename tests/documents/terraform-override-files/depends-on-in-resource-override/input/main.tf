resource "terraform_data" "pond" {
  input      = "local"
  depends_on = [terraform_data.lake]
}
resource "terraform_data" "lake" {
}
resource "terraform_data" "sea" {
}
