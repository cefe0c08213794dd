# verdict: access-key local.keys
# verdict: local-fraction local.spot_share
# verdict: policy-allows-all aws_iam_policy.encoded
# verdict: policy-allows-all aws_iam_policy.literal
# verdict: policy-allows-all aws_iam_role_policy.spaced
# verdict: policy-unknown aws_iam_policy.computed
# verdict: policy-user-variable aws_iam_policy.literal
# verdict: policy-user-variable aws_iam_role_policy.user
terraform {
  required_version = ">= 1.5"
}

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

resource "aws_iam_policy" "computed" {
  policy = file("policy.json")
}

resource "aws_iam_policy" "fine" {
  policy = "{\"Statement\": [{\"Effect\": \"Deny\", \"Action\": \"*\"}]}"
}

resource "aws_iam_role_policy" "user" {
  role   = "r"
  policy = "{\"Statement\": {\"Effect\": \"Allow\", \"Action\": \"iam:*\", \"Resource\": \"$${aws:username}\"}}"
}

resource "aws_iam_role_policy" "spaced" {
  role   = "r"
  policy = jsonencode({ Statement = [{ Action = "*", Effect = "Allow" }] })
}

locals {
  keys       = { ci = [{ id = "AKIAIOSFODNN7EXAMPLE" }] }
  spot_share = 1.25
}

variable "key" {
  type        = string
  description = "A key."
}

variable "limit" {
  type        = number
  description = "At most."
  default     = 10
}
