terraform {
  required_providers {
    cloudinit = {
      source = "hashicorp/cloudinit"
    }
  }
}

variable "scripts" {
  type = list(object({ name = string, text = string }))
  default = [
    { name = "b.sh", text = "echo b" },
    { name = "a.sh", text = "echo a" },
  ]
}

resource "cloudinit_config" "boot" {
  gzip = false
  dynamic "part" {
    for_each = var.scripts
    content {
      content  = part.value.text
      filename = part.value.name
    }
  }
}
