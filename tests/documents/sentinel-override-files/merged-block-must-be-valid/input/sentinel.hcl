policy "tags" {
  source            = "./tags.sentinel"
  enforcement_level = "advisory"
}
