param "a" {
  value = 0
}
param "b" {
  value = 0
}
