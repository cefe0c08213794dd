mock_provider "p" {
override_resource {
  target = data.b.c
}
override_data {
  target = b.c
}
override_data {
  target = 1
}
}
mock_provider "z" {
  override_during = nope
  mock_resource "a" {
     override_during = nope
  }
  mock_data "a" {
     override_during = nope
  }
  override_data {
    target = data.a.b
    override_during = nope
  }
}
mock_provider "q" {
  override_during = apply
  mock_resource "a" {
     override_during = apply
  }
}
mock_provider "r" {
  override_during = f(x)
}
