terraform {
  required_version = ">= 1.5"
}

data "aws_ami" "base" {
  most_recent = true
  owners      = ["amazon"]

  filter {
    name   = "name"
    values = ["al2023-ami-2023.*-x86_64"]
  }
}

resource "aws_instance" "web" {
  count = var.instances

  ami           = data.aws_ami.base.id
  instance_type = "t3.large"

  root_block_device {
    volume_size = 50
    encrypted   = true
  }

  ebs_block_device {
    device_name = "/dev/sdb"
    encrypted   = true
  }

  metadata_options {
    http_tokens = "required"
  }

  tags = {
    Owner = "web"
  }
}

resource "aws_instance" "batch" {
  ami           = data.aws_ami.base.id
  instance_type = var.batch_type
  user_data     = "#!/bin/sh\necho start\n"

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      device_name = ebs_block_device.value
      encrypted   = false
    }
  }

  metadata_options {
    http_tokens = "required"
  }

  tags = {
    Owner = "batch"
  }
}

resource "aws_instance" "tools" {
  ami           = data.aws_ami.base.id
  instance_type = "t3.micro"

  metadata_options {
    http_tokens = "required"
  }

  ebs_block_device {
    device_name = "/dev/sdb"
    encrypted   = true
  }

  tags = { Owner = "tools" }
}

variable "instances" {
  type        = number
  description = "How many."
  default     = 2
}

variable "batch_type" {
  type        = string
  description = "The type of machine for batch work."
}

variable "disks" {
  type        = list(string)
  description = "Disks of batch machines."
  default     = []
}
