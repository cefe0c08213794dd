output "fish" {
  value      = "tench"
  depends_on = [terraform_data.sea]
}
