override_module {
  target = a.b
}
override_module {
  target = module.x[0]
}
override_module {
  target = module.x["a"].module.y[1]
}
override_module {
  target = module.x.data.b.c
}
override_module {
  target = module.x
}
override_module {
  target = module
}
override_module {
  target = module.y[*]
}
