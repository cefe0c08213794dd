run "a" {
 plan_options {
   nope = 1
 }
 plan_options {
 }
 plan_options {
 }
}
run "b" {
 plan_options {
   mode = nope
 }
 plan_options {
   mode = nope2
 }
}
run "c" {
 plan_options {
 }
 plan_options {
   mode = nope2
 }
 plan_options {
   mode = nope2
 }
}
run "d" {
 plan_options {
   mode = refresh-only
   refresh = false
 }
 plan_options {
 }
}
run "e" {
 module {
   nope = 1
 }
 module {
   source = "./x"
 }
 variables {
   a {}
 }
 variables {
 }
}
