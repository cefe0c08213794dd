# The module as it is committed.

variable "encrypt_data" {
  type    = bool
  default = true
}

resource "aws_instance" "web" {
  ami           = "ami-0123456789abcdef0"
  instance_type = "m6i.large"
  ebs_optimized = true
  monitoring    = true

  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
  }

  root_block_device {
    volume_size = 100
    volume_type = "gp3"
    encrypted   = true
  }
}

resource "aws_ebs_volume" "data" {
  availability_zone = "eu-west-1a"
  size              = 100
  encrypted         = var.encrypt_data
}

resource "aws_db_instance" "orders" {
  identifier          = "orders"
  engine              = "postgres"
  instance_class      = "db.m6g.large"
  allocated_storage   = 100
  storage_encrypted   = true
  publicly_accessible = true
}
