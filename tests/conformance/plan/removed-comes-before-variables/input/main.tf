variable "low" {
  default = 1

  validation {
    condition     = var.low > 5
    error_message = "Too low."
  }
}

resource "terraform_data" "still" {}

removed {
  from = terraform_data.still

  lifecycle {
    destroy = false
  }
}
