run "a" {
 module {
  source = "./x"
 }
 module {
  source = "nope"
 }
}
run "b" {
 module {
  source = "nope"
 }
 module {
  source = "./x"
 }
}
run "c" {
 module {
  source = "./x"
 }
 module {
  nope = 1
  source = "./x"
 }
 module {
  source = "./x"
 }
}
run "d" {
 module {
  version = "1.0"
 }
 module {
  source = "./x"
 }
}
run "e" {
 module {
  source = "nope"
 }
 module {
  source = "./x"
 }
 module {
  source = "./x"
 }
 module {
  source = "./x"
 }
}
