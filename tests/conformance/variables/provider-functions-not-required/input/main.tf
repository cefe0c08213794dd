provider "terraform" {}

resource "terraform_data" "x" {}

variable "v0" {
  default = 0

  validation {
    condition     = var.v0 == var.v0 && provider::terraform::encode_expr(var.v0) != ""
    error_message = "Another result."
  }
}
