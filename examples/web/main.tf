locals {
  name = "web-${var.environment}"

  tags = merge(var.extra_tags, {
    Environment = var.environment
    ManagedBy   = "terraform"
  })
}

data "aws_ami" "base" {
  most_recent = true
  owners      = ["amazon"]

  filter {
    name   = "name"
    values = ["al2023-ami-2023.*-x86_64"]
  }
}

resource "aws_security_group" "web" {
  name        = local.name
  description = "Web servers"

  ingress {
    description = "HTTPS"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = var.allowed_cidrs
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_instance" "web" {
  count = var.instances

  ami                    = data.aws_ami.base.id
  instance_type          = "m6i.large"
  vpc_security_group_ids = [aws_security_group.web.id]

  root_block_device {
    volume_size = 50
    volume_type = "gp3"
    encrypted   = true
  }

  lifecycle {
    create_before_destroy = true
  }

  tags = {
    Name = "${local.name}-${count.index}"
  }
}

module "alarm" {
  source = "./modules/alarm"

  name      = local.name
  threshold = 0.8
  targets   = aws_instance.web[*].id
  token     = var.alarm_token
}
