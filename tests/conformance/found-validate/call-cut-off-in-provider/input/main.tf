resource "null_resource" "x" {
  provider = google('a', {b,c
  triggers = {}
}
