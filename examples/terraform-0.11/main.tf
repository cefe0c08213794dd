variable "ports" {
  default = {
    http  = 80
    https = 443
  }
}

variable "size" {
  default = "t2.small"
}

resource "aws_instance" "web" {
  ami           = "ami-408c7f28"
  instance_type = "${var.size}"

  ebs_block_device {
    device_name = "/dev/sdf"
    encrypted   = true
  }

  tags {
    Name = "web"
    Team = "platform"
  }
}

output "address" {
  value = "${aws_instance.web.private_ip}"
}
