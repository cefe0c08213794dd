resource "terraform_data" "b" {
  input = var.limit

  lifecycle {
    postcondition {
      condition     = self.input != 7
      error_message = "It must not be 7."
    }
  }
}
