param "limit" {
  value = 3
}
