# Functions for reading `config`, so that a rule gives the same result for every shape: tf-json, hcl2json, and JSON
# configuration files written by people.
package overfold.config

import rego.v1

# The bodies of a block. overfold always writes an array; a JSON configuration file may contain a single body.
bodies(value) := value if is_array(value)

bodies(value) := [value] if is_object(value)

# The nested blocks of one type: literal ones, and those that `dynamic` blocks would generate.
nested(body, type) := array.concat(
	[block | some block in bodies(object.get(body, type, []))],
	[block |
		some generator in bodies(object.get(object.get(body, "dynamic", {}), type, []))
		some block in bodies(object.get(generator, "content", []))
	],
)

# The provisioners of a resource, of any kind: `{kind: bodies}`, or an array of such objects if their order matters.
provisioners(body) := [{"kind": kind, "body": one} |
	some group in bodies(object.get(body, "provisioner", []))
	some kind
	value := group[kind]
	some one in bodies(value)
]

# Whether a value is or contains an expression; `$${` is literal text.
computed(value) if {
	is_string(value)
	contains(replace(value, "$${", ""), "${")
}

literal(value) if {
	value != null
	not computed(value)
}

# Text without the `${…}` around it. References such as those in `depends_on` are bare in tf-json and wrapped in hcl2json.
bare(text) := substring(text, 2, count(text) - 3) if wrapped(text)

bare(text) := text if {
	is_string(text)
	not wrapped(text)
}

wrapped(text) if {
	is_string(text)
	startswith(text, "${")
	endswith(text, "}")
}

bare_all(values) := [bare(value) | some value in values]

# A value as a number; a literal number may also be written as a string.
number(value) := value if is_number(value)

number(value) := to_number(value) if {
	is_string(value)
	regex.match(`^-?[0-9]+(\.[0-9]+)?$`, value)
}

# Whether a value is true; Terraform also accepts it as a string, and a JSON configuration file may contain "${true}".
yes(value) if value == true

yes(value) if bare(value) == "true"

# Objects with a type and a name.
resources contains {"type": type, "name": name, "body": body, "address": concat(".", [type, name])} if {
	some type, names in input.resource
	some name, value in names
	some body in bodies(value)
}

data_sources contains {"type": type, "name": name, "body": body, "address": concat(".", ["data", type, name])} if {
	some type, names in input.data
	some name, value in names
	some body in bodies(value)
}

of_type(type) := {resource | some resource in resources; resource.type == type}

# Objects with only a name.
modules contains {"name": name, "body": body, "address": concat(".", ["module", name])} if {
	some name, value in input.module
	some body in bodies(value)
}

variables contains {"name": name, "body": body, "address": concat(".", ["var", name])} if {
	some name, value in input.variable
	some body in bodies(value)
}

outputs contains {"name": name, "body": body, "address": concat(".", ["output", name])} if {
	some name, value in input.output
	some body in bodies(value)
}

# Provider configurations; `use` is how a resource refers to one.
providers contains {"name": name, "body": body, "use": use(name, body), "address": concat(".", ["provider", use(name, body)])} if {
	some name, value in input.provider
	some body in bodies(value)
}

use(name, body) := concat(".", [name, body.alias]) if body.alias

use(name, body) := name if not body.alias

# The settings of every `terraform` block.
settings := bodies(object.get(input, "terraform", []))

backends contains {"kind": kind, "body": body} if {
	some setting in settings
	some kind, value in setting.backend
	some body in bodies(value)
}

required_providers contains {"name": name, "value": value, "address": concat(".", ["terraform.required_providers", name])} if {
	some setting in settings
	some group in bodies(setting.required_providers)
	some name, value in group
}

# The values of all `locals` blocks.
locals contains {"name": name, "value": value, "address": concat(".", ["local", name])} if {
	some group in bodies(input.locals)
	some name, value in group
	name != "//"
}

# A finding in the form that conftest prints.
finding(rule, address, reason) := {"rule": rule, "address": address, "msg": concat(": ", [address, reason])}
