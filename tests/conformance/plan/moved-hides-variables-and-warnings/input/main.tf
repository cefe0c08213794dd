variable "low" {
  default = 1

  validation {
    condition     = var.low > 5
    error_message = "Too low."
  }
}

resource "terraform_data" "still" {}

moved {
  from = terraform_data.still
  to   = terraform_data.new
}

check "warned" {
  assert {
    condition     = path.module == "never"
    error_message = "It never is."
  }
}
