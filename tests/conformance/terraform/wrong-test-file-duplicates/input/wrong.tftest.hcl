override_resource {
  target = a.b
}
override_resource {
  target = a.b
}
override_resource {
  target = a.b
  nope = 1
}
override_resource {
  values = {}
}
override_resource {
  values = {}
}
override_resource {
  target = data.a.b
}
override_resource {
  target = data.a.b
}
override_module {
  target = a.b
}
override_module {
  target = a.b
}
