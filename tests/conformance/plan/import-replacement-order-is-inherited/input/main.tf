import {
  to = terraform_data.base
  id = "base"
}

import {
  to = terraform_data.changed
  id = "changed"
}

resource "terraform_data" "changed" {
  input = { k = 1 }
}

resource "terraform_data" "base" {
  input            = sensitive(["x"])
  triggers_replace = sensitive(["y"])

  lifecycle {
    ignore_changes       = [triggers_replace]
    replace_triggered_by = [terraform_data.changed]
  }
}

module "user" {
  source = "./user"
  base   = terraform_data.base.id
}
