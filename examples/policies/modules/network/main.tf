terraform {
  required_version = ">= 1.5"
}

resource "aws_security_group" "web" {
  ingress {
    description = "HTTPS"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
  egress {
    description = "Everything"
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_security_group" "generated" {
  ingress {
    description = "SSH"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/8"]
  }
}

# An argument that holds objects, not a block.
resource "aws_security_group" "listed" {
  ingress = [{
    description = "HTTPS"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }]
}

resource "aws_security_group" "closed" {
  dynamic "ingress" {
    for_each = var.ports
    content {
      description = "Port ${ingress.value}"
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
    }
  }
}

variable "ports" {
  type        = list(number)
  description = "Ports that are open."
  default     = []
}

variable "office_cidr" {
  type        = string
  description = "The network of the office."

  validation {
    condition     = can(cidrnetmask(var.office_cidr))
    error_message = "Not a network."
  }
}
