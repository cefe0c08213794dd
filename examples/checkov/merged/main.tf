# ../module with its override files folded in by hand, to compare with.

variable "encrypt_data" {
  type    = bool
  default = false
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
    volume_size = 20
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
  publicly_accessible = false
}
