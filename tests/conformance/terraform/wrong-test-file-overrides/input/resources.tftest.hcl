override_resource {
  target = data.a.b
}
override_resource {
  target = module.x
}
override_resource {
  target = module.x.a.b[1]
}
override_resource {
  target = module.x[0].a.b
}
override_resource {
  target = a.b["x"]
}
override_resource {
  target = a.b.c
}
override_resource {
  target = a
}
override_resource {
  target = ephemeral.a.b
}
override_resource {
  target = "a.c"
}
override_resource {
  target = 1
}
override_resource {
  target = a.b[c]
}
override_resource {
  target = f(x)
}
override_resource {
  target = module.x.module
}
override_resource {
  target = resource.a.d
}
override_resource {
  target = a.b[*]
}
override_resource {
  target = var.x
}
override_resource {
  target = null
}
