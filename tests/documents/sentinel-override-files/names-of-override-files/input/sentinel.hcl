param "a" {
  value = 0
}
param "b" {
  value = 0
}
param "c" {
  value = 0
}
param "d" {
  value = 0
}
