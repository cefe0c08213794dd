param "c" {
  value = 3
}
