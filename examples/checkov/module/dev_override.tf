# What a developer adds: small disks. The whole root_block_device is replaced, so its encryption is lost.

variable "encrypt_data" {
  default = false
}

resource "aws_instance" "web" {
  root_block_device {
    volume_size = 20
  }
}
