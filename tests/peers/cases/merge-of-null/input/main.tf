resource "terraform_data" "merged" {
  input = merge(false ? { a = {} } : null)
}
