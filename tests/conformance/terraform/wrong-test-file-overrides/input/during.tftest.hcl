override_resource {
  target = a.b
  override_during = plan
}
override_resource {
  target = a.c
  override_during = "plan"
}
override_resource {
  target = a.d
  override_during = nope
}
override_resource {
  target = a.e
  override_during = 1
}
override_resource {
  target = a.f
  override_during = f(x)
}
override_resource {
  target = a.g
  override_during = plan.x
}
override_resource {
  target = a.h
  override_during = null
}
override_resource {
  target = a.i
  override_during = "${var.x}"
}
override_resource {
  override_during = nope
}
override_data {
  target = data.a.b
  override_during = nope
}
override_module {
  target = module.a
  override_during = nope
}
run "r" {
  override_resource {
    target = a.bb
    override_during = nope
  }
}
