policy "tags" {
  params            = { most = 5 }
  enforcement_level = "advisory"
}
