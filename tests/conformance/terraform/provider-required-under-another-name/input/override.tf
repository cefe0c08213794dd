resource "aws_vpc" "stated" {
  tags = {}
}
