policy "cost" {
  enforcement_level = "advisory"
}
