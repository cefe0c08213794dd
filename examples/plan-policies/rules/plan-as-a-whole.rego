# What a plan says beside the values of resources.
package main

import data.overfold.plan as p
import rego.v1

deny contains p.finding("many-changes", "", sprintf("%d resources are created", [total])) if {
	total := count([1 | some change in p.changes; "create" in change.change.actions])
	total > 10
}

deny contains p.finding("read-late", resource.address, sprintf("it is read during apply: %v", [object.get(resource, "action_reason", "")])) if {
	some resource in object.get(input, "resource_changes", [])
	resource.change.actions == ["read"]
}

deny contains p.finding("imported", resource.address, sprintf("%v", [resource.change.importing.id])) if {
	some resource in object.get(input, "resource_changes", [])
	resource.change.importing
}

deny contains p.finding("check-not-passed", result.address.to_display, result.status) if {
	some result in object.get(input, "checks", [])
	result.status != "pass"
}

deny contains p.finding("output-not-known", name, "it is known only after apply") if {
	some name, change in object.get(input, "output_changes", {})
	change.after_unknown == true
}

deny contains p.finding("output-hidden", name, "it is sensitive") if {
	some name, change in object.get(input, "output_changes", {})
	change.after_sensitive == true
}

deny contains p.finding("output", name, output.value) if {
	some name, output in object.get(input.planned_values, "outputs", {})
	is_string(output.value)
	not output.sensitive
}

deny contains p.finding("variable", name, "it has no description") if {
	some name, _ in object.get(input, "variables", {})
	not input.configuration.root_module.variables[name].description
}

deny contains p.finding("provider-version", provider.full_name, object.get(provider, "version_constraint", "none")) if {
	some provider in input.configuration.provider_config
	not startswith(object.get(provider, "version_constraint", ""), "~>")
}

deny contains p.finding("module", name, call.source) if {
	some name, call in object.get(input.configuration.root_module, "module_calls", {})
}

# Addresses in `planned_values`, which are those of instances, at any depth of modules.
deny contains p.finding("module-resources", module.address, sprintf("%d", [count(module.resources)])) if {
	walk(input.planned_values, [_, module])
	startswith(module.address, "module.")
	module.resources
}

deny contains p.finding("repeated", resource.address, "count or for_each") if {
	some resource in object.get(input.configuration.root_module, "resources", [])
	some argument in ["count_expression", "for_each_expression"]
	resource[argument]
}

deny contains p.finding("late-attribute", attribute.resource, sprintf("%v", [attribute.attribute])) if {
	some attribute in object.get(input, "relevant_attributes", [])
	attribute.attribute[0] in {"arn", "id"}
}

# What a provider says of data that was read already.
deny contains p.finding("data-read", resource.address, sprintf("%v", [resource.values.id])) if {
	some resource in object.get(object.get(object.get(object.get(input, "prior_state", {}), "values", {}), "root_module", {}), "resources", [])
	resource.mode == "data"
}
