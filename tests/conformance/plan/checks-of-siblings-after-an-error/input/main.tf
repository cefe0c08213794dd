import {
  to = terraform_data.imported["z"]
  id = "z"
}

resource "terraform_data" "imported" {
  for_each = toset(["a", "b"])

  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "No."
    }
  }
}

resource "terraform_data" "chain" {
  count      = 3
  input      = count.index
  depends_on = [terraform_data.chain[1]]

  lifecycle {
    precondition {
      condition     = count.index != 1
      error_message = "The second fails."
    }
  }
}

check "of_failed" {
  assert {
    condition     = terraform_data.chain != null
    error_message = "No."
  }
}
