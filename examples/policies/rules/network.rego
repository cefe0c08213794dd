# Security groups.
package main

import data.overfold.config as c
import rego.v1

everywhere(rule) if {
	some network in array.concat(object.get(rule, "cidr_blocks", []), object.get(rule, "ipv6_cidr_blocks", []))
	network in {"0.0.0.0/0", "::/0"}
}

# `ingress` is a block, an argument that holds objects, or made by `dynamic`.
deny contains c.finding("ssh-from-everywhere", group.address, "port 22 is open to everybody") if {
	some group in c.of_type("aws_security_group")
	some rule in c.nested(group.body, "ingress")
	everywhere(rule)
	c.number(rule.from_port) <= 22
	c.number(rule.to_port) >= 22
}

deny contains c.finding("all-protocols", group.address, "all protocols may come in") if {
	some group in c.of_type("aws_security_group")
	some rule in c.nested(group.body, "ingress")
	rule.protocol in {"-1", -1}
}

deny contains c.finding("ports-unknown", group.address, "ports that come in are not known before the plan") if {
	some group in c.of_type("aws_security_group")
	some rule in c.nested(group.body, "ingress")
	some port in ["from_port", "to_port"]
	c.computed(rule[port])
}

deny contains c.finding("rule-description", group.address, "a rule has no description") if {
	some group in c.of_type("aws_security_group")
	some direction in ["ingress", "egress"]
	some rule in c.nested(group.body, direction)
	object.get(rule, "description", null) in {null, ""}
}

deny contains c.finding("generated-rules", group.address, "its rules come from a variable") if {
	some group in c.of_type("aws_security_group")
	some generator in c.bodies(group.body.dynamic.ingress)
	startswith(c.bare(generator.for_each), "var.")
}
