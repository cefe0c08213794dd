policy "tags" {
  source = "./tags.sentinel"
  params = { most = 3, least = 1 }
}
