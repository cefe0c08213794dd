terraform {
  required_providers {
    cloudinit = {
      source = "hashicorp/cloudinit"
    }
  }
}

variable "scripts" {
  type    = list(string)
  default = []
}

resource "cloudinit_config" "boot" {
  gzip = false
  part {
    content  = "echo static"
    filename = "static.sh"
  }
  dynamic "part" {
    for_each = var.scripts
    content {
      content  = part.value
      filename = "dynamic.sh"
    }
  }
}
