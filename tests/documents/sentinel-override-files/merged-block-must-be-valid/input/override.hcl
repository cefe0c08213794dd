policy "tags" {
  enforcement_level = "whimsical"
}
