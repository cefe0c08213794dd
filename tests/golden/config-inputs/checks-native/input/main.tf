variable "name" {
  type    = string
  default = "one"
}

resource "terraform_data" "r" {
  input = var.name
}

check "name" {
  assert {
    condition     = terraform_data.r.input == var.name
    error_message = "The name has changed: ${var.name}."
  }

  assert {
    condition     = length(var.name) > 2
    error_message = "Too short."
  }
}

check "second" {
  assert {
    condition     = alltrue([for part in ["a", "b"] : part != var.name])
    error_message = "A name of one letter."
  }
}
