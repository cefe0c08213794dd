variable "tags" {
  type = map(string)

  validation {
    condition     = lookup(var.tags, "owner", "") != ""
    error_message = "There must be an owner."
  }
}

module "part" {
  source = "./part"
  tags   = var.tags
}

resource "terraform_data" "web" {
  for_each = var.tags
  input    = each.value

  lifecycle {
    precondition {
      condition     = each.key != ""
      error_message = "No key for ${each.value}."
    }
  }
}

check "web" {
  assert {
    condition     = terraform_data.web["env"].input != "NONE"
    error_message = "There must be one."
  }
}
