resource "aws_instance" "web" {
  instance_type = "t2.micro"

  ebs_block_device {
    device_name = "/dev/sdh"
  }

  lifecycle {
    create_before_destroy = true
  }
}

# Terraform reports an override without a base. TFLint drops it: no rule ever sees this instance.
resource "aws_instance" "extra" {
  ami = "ami-0a1b2c3d"
}

locals {
  owner = "platform"
}
