resource "terraform_data" "web" {
  input = upper(each.value)

  lifecycle {
    ignore_changes = [triggers_replace]
  }
}
