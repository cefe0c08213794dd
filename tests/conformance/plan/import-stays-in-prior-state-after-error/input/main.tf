import {
  to = terraform_data.kept
  id = "kept"
}

import {
  to = terraform_data.failing
  id = "failing"
}

resource "terraform_data" "kept" {
  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "failing" {
  lifecycle {
    precondition {
      condition     = path.module == "never"
      error_message = "It fails."
    }
    postcondition {
      condition     = self.id != ""
      error_message = "No."
    }
  }
}
