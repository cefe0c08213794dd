override_data {
  target = a.b
}
override_data {
  target = module.x
}
override_data {
  target = data.b
}
override_data {
  target = data.b.c[true]
}
override_data {
  target = ephemeral.b.c
}
override_data {
  target = data.a.b[1.5]
}
