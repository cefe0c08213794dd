variable "settings" {
  type = object({
    name = string
    tier = optional(string, "basic")
  })
  default = { name = "main" }
}

resource "terraform_data" "tried" {
  input = try(var.settings.missing, "fallback")
}

resource "terraform_data" "tier" {
  input = var.settings.tier
}
