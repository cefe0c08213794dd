override_resource {
  target = a.b
}
run "r" {
override_resource {
  target = a.b
}
override_resource {
  target = a.b[0]
}
override_resource {
  target = a.b
}
override_data {
  target = data.a.b
}
override_data {
  target = data.a.b
}
override_module {
  target = module.x
}
override_module {
  target = module.x
}
}
mock_provider "p" {
override_resource {
  target = a.b
}
override_resource {
  target = a.b
}
mock_resource "a" {
}
mock_resource "a" {
}
mock_data "a" {
}
mock_data "a" {
}
override_data {
  target = data.a.b
}
override_data {
  target = data.a.b
}
}
