override_resource {
  target = module.x[f()].a
}
override_resource {
  target = module.x[true].a.b
}
override_resource {
  target = a.b[0][1]
}
override_resource {
  target = terraform.x
}
override_resource {
  target = module.x.data.a
}
override_module {
  target = module.x[0]
}
override_module {
  target = module.x["0"]
}
override_module {
  target = module.x[0]
}
override_resource {
  target = a.b["x"]
}
override_resource {
  target = a.b[ "x" ]
}
override_resource {
  target = module.x.a.b
}
override_resource {
  target = module.x.resource.a.b
}
override_resource {
  target = action.a.b
}
override_resource {
  target = a.b.c.d
}
