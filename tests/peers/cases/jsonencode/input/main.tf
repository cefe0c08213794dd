resource "terraform_data" "document" {
  input = jsonencode({ a = [1, "x", null, true] })
}
