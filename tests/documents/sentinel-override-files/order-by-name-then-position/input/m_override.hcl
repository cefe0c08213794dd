param "a" {
  value = 1
}
param "b" {
  value = 1
}
param "b" {
  value = 2
}
