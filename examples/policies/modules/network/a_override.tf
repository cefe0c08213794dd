resource "aws_security_group" "web" {
  ingress {
    description = "Administration"
    from_port   = 0
    to_port     = 1024
    protocol    = "tcp"
    cidr_blocks = [var.office_cidr, "0.0.0.0/0"]
  }
  ingress {
    from_port = 8080.5e1
    to_port   = -1
    protocol  = -1
  }
}

# Generated blocks take the place of static ones…
resource "aws_security_group" "generated" {
  dynamic "ingress" {
    for_each = var.ports
    content {
      description = null
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
}

# …and static ones of generated ones.
resource "aws_security_group" "closed" {
  ingress {
    description = "Nobody"
    from_port   = 65535
    to_port     = 65535
    protocol    = "tcp"
  }
}

variable "ports" {
  default = [22]
}
