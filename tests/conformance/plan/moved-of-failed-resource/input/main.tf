variable "number" {
  default = -1
}

resource "terraform_data" "failing" {
  lifecycle {
    precondition {
      condition     = path.module == "never"
      error_message = "It fails."
    }
  }
}

resource "terraform_data" "counted" {
  count = var.number
}

resource "terraform_data" "two" {
  count = 2
}

moved {
  from = terraform_data.failing
  to   = terraform_data.new
}

moved {
  from = terraform_data.counted
  to   = terraform_data.newer
}

moved {
  from = terraform_data.two[1]
  to   = terraform_data.three
}

moved {
  from = terraform_data.two[2]
  to   = terraform_data.four
}
