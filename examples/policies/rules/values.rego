# Variables, locals, outputs, data sources.
package main

import data.overfold.config as c
import rego.v1

deny contains c.finding("variable-described", variable.address, "it has no description") if {
	some variable in c.variables
	object.get(variable.body, "description", "") == ""
}

# `type` is bare in tf-json and wrapped in hcl2json.
deny contains c.finding("variable-typed", variable.address, "it accepts any type") if {
	some variable in c.variables
	c.bare(object.get(variable.body, "type", "any")) == "any"
}

deny contains c.finding("variable-sensitive", variable.address, "it looks like a secret and is not sensitive") if {
	some variable in c.variables
	regex.match(`password|token|secret`, variable.name)
	not c.yes(object.get(variable.body, "sensitive", false))
}

# A null default is present; an absent one is not.
deny contains c.finding("variable-null", variable.address, "it is null if it is omitted") if {
	some variable in c.variables
	object.get(variable.body, "default", "absent") == null
}

deny contains c.finding("variable-validated", variable.address, "a network without validation") if {
	some variable in c.variables
	endswith(variable.name, "_cidr")
	count(c.nested(variable.body, "validation")) == 0
}

deny contains c.finding("variable-default-large", variable.address, "its default is over 10") if {
	some variable in c.variables
	c.number(variable.body.default) > 10
}

deny contains c.finding("output-sensitive", output.address, "it shows a secret") if {
	some output in c.outputs
	regex.match(`\bvar\.[a-z_]*(password|token|secret)`, output.body.value)
	not c.yes(object.get(output.body, "sensitive", false))
}

# Anywhere in a value, at any depth.
deny contains c.finding("access-key", local.address, "an access key is in the configuration") if {
	some local in c.locals
	walk(local.value, [_, text])
	is_string(text)
	regex.match(`AKIA[0-9A-Z]{16}`, text)
}

deny contains c.finding("local-fraction", local.address, "a share is not between 0 and 1") if {
	some local in c.locals
	endswith(local.name, "_share")
	share := c.number(local.value)
	not within(share)
}

within(share) if {
	share >= 0
	share <= 1
}

deny contains c.finding("image-owner", source.address, "the newest image from any owner") if {
	some source in c.data_sources
	source.type == "aws_ami"
	c.yes(source.body.most_recent)
	count(object.get(source.body, "owners", [])) == 0
}

deny contains c.finding("image-filter", source.address, "a filter lets everything through") if {
	some source in c.data_sources
	some filter in c.nested(source.body, "filter")
	"*" in filter.values
}

deny contains c.finding("check-scoped-data", concat(".", ["check", name]), "it reads something outside of this configuration") if {
	some name, value in object.get(input, "check", {})
	some body in c.bodies(value)
	some type, _ in body.data
	type == "http"
}
