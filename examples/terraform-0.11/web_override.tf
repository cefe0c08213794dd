resource "aws_instance" "web" {
  ami = "ami-09d95fab"

  ebs_block_device {
    device_name = "/dev/sdh"
  }
}

output "address" {
  value = "${aws_instance.web.public_ip}"
}
