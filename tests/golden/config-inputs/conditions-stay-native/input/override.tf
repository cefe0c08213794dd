variable "limit" {
  default = 4
}

resource "terraform_data" "a" {
  triggers_replace = "x"

  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.b]
  }
}

output "a" {
  description = "overridden"
  value       = "= ${terraform_data.a.input}"
}
