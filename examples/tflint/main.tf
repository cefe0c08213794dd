resource "aws_instance" "web" {
  ami           = "ami-0a1b2c3d"
  instance_type = "m6i.large"

  ebs_block_device {
    device_name = "/dev/sdf"
    encrypted   = true
  }

  ebs_block_device {
    device_name = "/dev/sdg"
    encrypted   = true
  }

  lifecycle {
    prevent_destroy = true
  }
}

locals {
  team = "web"
}
