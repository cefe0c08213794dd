import {
  to = terraform_data.changed
  id = "changed"
}

resource "terraform_data" "changed" {
  input = { k = 1, l = tomap({ m = 2 }) }
}

resource "terraform_data" "whole" {
  lifecycle {
    replace_triggered_by = [terraform_data.changed]
  }
}

resource "terraform_data" "same" {
  lifecycle {
    replace_triggered_by = [terraform_data.changed.id]
  }
}

resource "terraform_data" "dot" {
  lifecycle {
    replace_triggered_by = [terraform_data.changed.input.k]
  }
}

resource "terraform_data" "key_of_object" {
  lifecycle {
    replace_triggered_by = [terraform_data.changed.input["k"]]
  }
}

resource "terraform_data" "key_of_map" {
  lifecycle {
    replace_triggered_by = [terraform_data.changed.input.l["m"]]
  }
}

resource "terraform_data" "absent" {
  lifecycle {
    replace_triggered_by = [terraform_data.changed.nothing]
  }
}
