output "plain" {
  value     = "plain"
  ephemeral = true
}
