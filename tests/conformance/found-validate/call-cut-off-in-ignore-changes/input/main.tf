resource "null_resource" "x" {
  lifecycle {
    ignore_changes = [upper('a', 1]
  }
  depends_on = [upper("x]
}
