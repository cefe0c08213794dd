run "x" {
  bogus = 1
  zork {}
}
run "1y" {
  command         = foo
  providers       = { aws = aws.x, b = 3 }
  expect_failures = [var.a, 1, "x"]
  state_key       = 3
  parallel        = true
  variables {
    x = 1
    y {}
  }
  variables {}
  plan_options {
    mode    = bogus
    refresh = "x"
    replace = [foo]
    target  = 1
    zork    = 2
  }
  assert {
    condition = 1
  }
  assert {
    error_message = "x"
    foo           = 2
    bar {}
  }
  module {}
  backend "local" {}
  override_resource {
    foo = 2
  }
  override_data {
    target          = data.x.y
    override_during = plan
  }
  override_module {
    values = 1
  }
}
run {}
run "a" "b" {}
variables {
  x = 1
  foo {}
}
variables {}
provider "aws" {
  alias = foo
  count = 1
  locals {}
}
provider {}
provider "Aws" {}
mock_provider "g" {
  alias = bar
  foo   = 1
  mock_resource "a" {
    defaults = {}
    foo      = 1
  }
  mock_resource {}
  mock_ephemeral "x" {}
  override_resource {}
}
test {}
variable "x" {}
resource "a" "b" {}
top = 1
