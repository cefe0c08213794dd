# Functions for reading a plan document, the output of `overfold plan` or `terraform show -json`.
package overfold.plan

import rego.v1

finding(rule, address, message) := {"rule": rule, "address": address, "msg": message}

# What is planned for resources, by type: an array of `{address, values, unknown, sensitive}`. Values that are known only after
# apply are absent from `values`, and true in `unknown`.
planned := {type: resources |
	some type in {resource.type | some resource in changes}
	resources := [one |
		some resource in changes
		resource.type == type
		one := {
			"address": resource.address,
			"values": resource.change.after,
			"unknown": resource.change.after_unknown,
			"sensitive": resource.change.after_sensitive,
		}
	]
}

changes := [resource |
	some resource in object.get(input, "resource_changes", [])
	resource.mode == "managed"
	resource.change.after != null
]

of_type(type) := object.get(planned, type, [])

# The bodies of a nested block; null and absent ones are none.
blocks(values, type) := [block | some block in list(object.get(values, type, []))]

list(value) := value if is_array(value)

list(value) := [] if value == null

list(value) := [value] if is_object(value)

list(value) := [value] if is_string(value)

# The resources of the configuration, in the root module and in called ones, as `{module, resource}`. An address is that of the
# block, without keys of instances.
configured contains {"module": "", "resource": resource} if {
	some resource in object.get(input.configuration.root_module, "resources", [])
}

configured contains {"module": sprintf("module.%s.", [name]), "resource": resource} if {
	some name, call in object.get(input.configuration.root_module, "module_calls", {})
	some resource in object.get(call.module, "resources", [])
}

# Everything that the arguments of a resource of the configuration refer to.
references(resource) := {reference |
	walk(object.get(resource, "expressions", {}), [path, value])
	path[count(path) - 1] == "references"
	some reference in value
}

everywhere(cidr) if cidr in {"0.0.0.0/0", "::/0", "*", "Internet"}
