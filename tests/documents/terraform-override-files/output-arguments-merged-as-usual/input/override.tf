output "fish" {
  value = "tench"
}
