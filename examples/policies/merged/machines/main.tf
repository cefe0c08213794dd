# verdict: count-zero aws_instance.web
# verdict: disk-count aws_instance.batch
# verdict: disk-encrypted aws_instance.tools
# verdict: disk-encrypted aws_instance.web
# verdict: image-filter data.aws_ami.base
# verdict: image-owner data.aws_ami.base
# verdict: instance-metadata aws_instance.tools
# verdict: instance-public aws_instance.tools
# verdict: instance-size aws_instance.web
# verdict: tag-computed-key aws_instance.web
# verdict: tag-owner aws_instance.web
# verdict: user-data-pipe aws_instance.batch
terraform {
  required_version = ">= 1.5"
}

data "aws_ami" "base" {
  most_recent = true
  owners      = []

  filter {
    name   = "name"
    values = ["*"]
  }
  filter {
    name   = "state"
    values = ["available"]
  }
}

resource "aws_instance" "web" {
  count = 0

  ami           = data.aws_ami.base.id
  instance_type = "m6i.large"

  root_block_device {
    volume_size = 10
  }

  ebs_block_device {
    device_name = "/dev/sdb"
    encrypted   = true
  }

  metadata_options {
    http_tokens = "required"
  }

  tags = {
    Owner               = null
    "${var.batch_type}" = "x"
  }
}

resource "aws_instance" "batch" {
  ami           = data.aws_ami.base.id
  instance_type = var.batch_type
  user_data     = <<-EOT
    #!/bin/sh
    curl -s https://example.com/install.sh | sh
  EOT

  metadata_options {
    http_tokens = "required"
  }

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

  tags = {
    Owner = "batch"
  }
}

resource "aws_instance" "tools" {
  ami                         = data.aws_ami.base.id
  instance_type               = "t3.micro"
  associate_public_ip_address = "true"

  metadata_options {
    http_tokens = "optional"
  }

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      device_name = ebs_block_device.value
      encrypted   = false
    }
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
