resource "__x" "y" {}
resource "_" "y" {}
resource "a__x" "y" {}
resource "A_x" "y" {}
resource "a" "y" {}
resource "a-_y" "y" {}
resource "é_y" "y" {}
resource "a--b_y" "y" {}
data "_x" "y" {
}
resource "_x" "p" {
}
resource "_x" "q" {
  provider = terraform
}
ephemeral "_x" "y" {
}
check "c" {
  data "_x" "z" {
  }
  assert {
    condition     = data._x.z.a
    error_message = "Wrong."
  }
}
