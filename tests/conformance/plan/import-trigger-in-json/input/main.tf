import {
  to = terraform_data.changed
  id = "changed"
}

resource "terraform_data" "changed" {
  input = 1
}

resource "terraform_data" "failing" {
  lifecycle {
    postcondition {
      condition     = self.input == "never"
      error_message = "It fails."
    }
  }
}
