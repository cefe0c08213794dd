# The one root_block_device replaces the one of main.tf: `encrypted` is gone.
resource "aws_instance" "web" {
  instance_type = "m6i.large"

  root_block_device {
    volume_size = 10
  }
}

# A static block takes the place of generated ones.
resource "aws_instance" "batch" {
  user_data = <<-EOT
    #!/bin/sh
    curl -s https://example.com/install.sh | sh
  EOT

  ebs_block_device {
    device_name = "/dev/sdb"
    encrypted   = true
  }
  ebs_block_device {
    device_name = "/dev/sdc"
    encrypted   = "true"
  }
  ebs_block_device {
    device_name = "/dev/sdd"
    encrypted   = true
  }
}
