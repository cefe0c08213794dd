run "a" {
 module {
  source = "nope"
 }
}
run "b" {
 module {
  source = "./x"
  version = "1.0"
 }
}
run "c" {
 module {
  source = "a/b/c"
  version = "1.0"
 }
}
run "d" {
 module {
  source = "git::https://x/y"
 }
}
run "e" {
 module {
  source = "a/b/c"
  version = "nope"
 }
}
run "f" {
 module {
  source = "nope"
  version = "1"
 }
}
run "g" {
 module {
  source = "nope"
  version = x
 }
}
run "h" {
 module {
  version = "nope"
 }
}
run "i" {
 module {
  source = x
 }
}
run "j" {
 module {
  source = 1
  nope = 1
 }
}
run "k" {
 module {
  source = "git::https://x/y"
 }
 module {
  source = "git::https://x/z"
 }
}
run "l" {
 module {
  source = null
 }
}
run "m" {
 module {
  source = ""
 }
}
run "n" {
 module {
  source = "../x/../.."
 }
}
run "o" {
 module {
  source = "a/b/c"
  version = null
 }
}
run "p" {
 module {
  source = "/abs/x"
 }
}
