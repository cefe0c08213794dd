data "terraform_remote_state" "team" {
  for_each = toset(["a", "b"])
  backend  = "local"
  config   = { path = "${path.module}/${each.key}.tfstate" }
  defaults = { team = "team-${each.key}" }
}

data "terraform_remote_state" "stage" {
  count    = 2
  backend  = "local"
  config   = { path = "${path.module}/a.tfstate" }
  defaults = { stage = "stage-${count.index}" }
}

resource "terraform_data" "team" {
  input = data.terraform_remote_state.team["b"].defaults.team
}

resource "terraform_data" "stage" {
  input = data.terraform_remote_state.stage[1].defaults.stage
}
