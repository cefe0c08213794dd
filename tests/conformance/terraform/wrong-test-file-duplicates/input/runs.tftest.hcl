run "a" {
  nope = 1
}
run "a" {
}
run "a" {
}
run "b c" {
}
run "b c" {
}
