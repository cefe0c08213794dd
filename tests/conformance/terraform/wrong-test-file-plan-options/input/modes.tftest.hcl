run "a" {
 plan_options {
   mode = refresh-only
   refresh = false
 }
}
run "b" {
 plan_options {
   mode = refresh-only
   replace = [a.b]
 }
}
run "c" {
 plan_options {
   mode = refresh-only
   target = [a.b]
 }
}
run "d" {
 plan_options {
   mode = refresh-only
   refresh = true
   replace = []
 }
}
run "e" {
 plan_options {
   mode = refresh-only
   refresh = false
   replace = [a.b]
 }
}
run "f" {
 command = apply
 plan_options {
   mode = refresh-only
   refresh = "x"
   replace = [a]
 }
}
run "g" {
 plan_options {
   mode = normal
   refresh = false
   replace = [a.b]
 }
}
run "h" {
 plan_options {
   mode = refresh-only
   refresh = false
   nope = 1
 }
}
run "i" {
 plan_options {
   mode = "refresh-only"
   refresh = false
 }
}
