param "a" {
  value = 9
}
