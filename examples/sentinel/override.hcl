# What the platform team enforces everywhere.
param "maximum_cost" {
  value = 200
}

policy "require-tags" {
  enforcement_level = "hard-mandatory"
}

policy "restrict-cost" {
  params = {
    region = "eu"
  }
}
