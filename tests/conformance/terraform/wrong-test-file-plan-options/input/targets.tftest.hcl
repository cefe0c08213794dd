run "r" {
 plan_options {
   target = [a.b, module.x, data.a.b, a, a.b[0], a.b[1], a.b, var.x, "a.b", f(x), 1, module.x[0], ephemeral.a.b, a.b.c, a.b[c], resource.a.b, module, each.key, local.x, path.module, a.b["x"].c]
   replace = [a.b, module.x, data.a.b, a, a.b[0], a.b[1], a.b, var.x, "a.b", f(x), 1, module.x[0], ephemeral.a.b, a.b.c, a.b[c], resource.a.b, module, each.key, local.x, path.module, module.x.a.b, module.x.data.a.b]
 }
}
run "s" {
 plan_options {
   target = a.b
   replace = "x"
 }
}
