resource "aws_iam_policy" "encoded" {
  policy = jsonencode({
    "Statement" : [{ "Effect" : "Allow", "Action" : "*", "Resource" : "*" }]
  })
}

resource "aws_iam_policy" "literal" {
  policy = <<EOT
{
  "Statement": [
    {"Effect": "Allow", "Action": ["ec2:Describe*", "*"], "Resource": "arn:aws:iam::1:user/$${aws:username}"}
  ]
}
EOT
}

locals {
  keys       = { ci = [{ id = "AKIAIOSFODNN7EXAMPLE" }] }
  spot_share = 1.25
}
