# IAM policies as text: literal JSON is parsed, `jsonencode(…)` is source text that can only be searched.
package main

import data.overfold.config as c
import rego.v1

statements(text) := c.bodies(json.unmarshal(text).Statement) if {
	c.literal(text)
	json.is_valid(text)
}

list(value) := value if is_array(value)

list(value) := [value] if is_string(value)

allows_all(text) if {
	some statement in statements(text)
	statement.Effect == "Allow"
	"*" in list(statement.Action)
}

allows_all(text) if {
	contains(text, "jsonencode(")
	regex.match(`"?\bAction"?\s*[=:]\s*\[?\s*"\*"`, text)
	regex.match(`"?\bEffect"?\s*[=:]\s*"Allow"`, text)
}

deny contains c.finding("policy-allows-all", policy.address, "it allows every action") if {
	some policy in c.resources
	policy.type in {"aws_iam_policy", "aws_iam_role_policy"}
	allows_all(policy.body.policy)
}

deny contains c.finding("policy-unknown", policy.address, "what it allows is not known before the plan") if {
	some policy in c.resources
	policy.type in {"aws_iam_policy", "aws_iam_role_policy"}
	c.wrapped(policy.body.policy)
	not contains(policy.body.policy, "jsonencode(")
}

# A `$${…}` in the file is an IAM policy variable, not one of Terraform's.
deny contains c.finding("policy-user-variable", policy.address, "it uses an IAM policy variable that is not allowed") if {
	some policy in c.resources
	policy.type in {"aws_iam_policy", "aws_iam_role_policy"}
	contains(policy.body.policy, "$${aws:username}")
}
