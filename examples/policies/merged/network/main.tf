# verdict: all-protocols aws_security_group.web
# verdict: generated-rules aws_security_group.generated
# verdict: ports-unknown aws_security_group.generated
# verdict: rule-description aws_security_group.generated
# verdict: rule-description aws_security_group.web
# verdict: ssh-from-everywhere aws_security_group.listed
# verdict: ssh-from-everywhere aws_security_group.web
terraform {
  required_version = ">= 1.5"
}

resource "aws_security_group" "web" {
  egress {
    description = "Everything"
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
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

resource "aws_security_group" "listed" {
  ingress = [{
    description      = "SSH"
    from_port        = "22"
    to_port          = "22"
    protocol         = "tcp"
    ipv6_cidr_blocks = ["::/0"]
  }]
}

resource "aws_security_group" "closed" {
  ingress {
    description = "Nobody"
    from_port   = 65535
    to_port     = 65535
    protocol    = "tcp"
  }
}

variable "ports" {
  type        = list(number)
  description = "Ports that are open."
  default     = [22]
}

variable "office_cidr" {
  type        = string
  description = "The network of the office."

  validation {
    condition     = can(cidrnetmask(var.office_cidr))
    error_message = "Not a network."
  }
}
