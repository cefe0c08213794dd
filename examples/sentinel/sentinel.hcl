sentinel {
  features = {
    terraform = true
  }
}

import "static" "limits" {
  source = "./limits.json"
  format = "json"
}

param "maximum_cost" {
  value = 500
}

policy "restrict-cost" {
  source            = "./restrict-cost.sentinel"
  enforcement_level = "soft-mandatory"

  params = {
    currency = "EUR"
  }
}

policy "require-tags" {
  source            = "./require-tags.sentinel"
  enforcement_level = "advisory"
}
