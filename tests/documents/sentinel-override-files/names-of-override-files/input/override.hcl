param "a" {
  value = 1
}
