check "native" {
  assert {
    condition     = var.name != ""
    error_message = "Empty."
  }
}
