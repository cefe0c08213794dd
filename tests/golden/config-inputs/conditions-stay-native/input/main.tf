variable "limit" {
  type    = number
  default = 3
}

resource "terraform_data" "a" {
  input = var.limit

  lifecycle {
    create_before_destroy = false
    ignore_changes        = [input]

    precondition {
      condition     = var.limit > 0
      error_message = "The limit must be positive, not ${var.limit}."
    }

    precondition {
      condition     = var.limit < 100
      error_message = <<-EOT
        Too many:
          at most 99.
      EOT
    }

    postcondition {
      condition     = self.input != 60
      error_message = "It must not be 60."
    }
  }
}

output "a" {
  value = terraform_data.a.input

  precondition {
    condition     = var.limit != 13
    error_message = "Not 13."
  }
}
