resource "terraform_data" "peer" {
  for_each = {
    left  = "10.0.0.0/16"
    right = "10.0.0.0/16"
  }
  input = each.value
}
