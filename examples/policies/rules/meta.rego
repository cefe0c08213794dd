# Arguments and blocks that belong to the language, not to a provider.
package main

import data.overfold.config as c
import rego.v1

deny contains c.finding("no-local-exec", resource.address, "it runs a command on the local machine") if {
	some resource in c.resources
	some provisioner in c.provisioners(resource.body)
	provisioner.kind == "local-exec"
}

deny contains c.finding("no-destroy-provisioner", resource.address, "it runs something when destroyed") if {
	some resource in c.resources
	some provisioner in c.provisioners(resource.body)
	c.bare(provisioner.body.when) == "destroy"
}

deny contains c.finding("connection-password", resource.address, "a connection's password is in the configuration") if {
	some resource in c.resources
	own := c.nested(resource.body, "connection")
	inner := [block | some each in c.provisioners(resource.body); some block in c.nested(each.body, "connection")]
	some connection in array.concat(own, inner)
	c.literal(connection.password)
}

prevented(resource) if {
	some lifecycle in c.nested(resource.body, "lifecycle")
	c.yes(lifecycle.prevent_destroy)
}

deny contains c.finding("prevent-destroy", resource.address, "lifecycle does not prevent its destruction") if {
	some resource in c.of_type("aws_db_instance")
	not prevented(resource)
}

# `ignore_changes` is a list of names or the word `all`.
deny contains c.finding("ignore-all", resource.address, "changes to everything are ignored") if {
	some resource in c.resources
	some lifecycle in c.nested(resource.body, "lifecycle")
	c.bare(lifecycle.ignore_changes) == "all"
}

deny contains c.finding("ignore-tags", resource.address, "changes to tags are ignored") if {
	some resource in c.resources
	some lifecycle in c.nested(resource.body, "lifecycle")
	is_array(lifecycle.ignore_changes)
	some name in c.bare_all(lifecycle.ignore_changes)
	regex.match(`^tags(\[|\.|$)`, name)
}

deny contains c.finding("replaced-by", resource.address, "a change to local data replaces it") if {
	some resource in c.resources
	some lifecycle in c.nested(resource.body, "lifecycle")
	some address in c.bare_all(lifecycle.replace_triggered_by)
	startswith(address, "terraform_data.")
}

deny contains c.finding("checked", resource.address, "it has fewer than two conditions") if {
	some resource in c.of_type("aws_db_instance")
	some lifecycle in c.nested(resource.body, "lifecycle")
	conditions := array.concat(c.nested(lifecycle, "precondition"), c.nested(lifecycle, "postcondition"))
	count(conditions) < 2
}

deny contains c.finding("count-zero", resource.address, "its count is zero") if {
	some resource in (c.resources | c.modules)
	c.number(resource.body.count) == 0
}

deny contains c.finding("repeated-by-variable", resource.address, "a variable determines the number of instances") if {
	some resource in (c.resources | c.modules)
	some meta in ["count", "for_each"]
	c.computed(resource.body[meta])
	contains(resource.body[meta], "var.")
}

deny contains c.finding("depends-on-module", resource.address, "it depends on a whole module") if {
	some resource in (c.resources | c.data_sources)
	some address in c.bare_all(object.get(resource.body, "depends_on", []))
	startswith(address, "module.")
}

deny contains c.finding("provider-declared", resource.address, "its provider is not configured in this module") if {
	some resource in (c.resources | c.data_sources)
	asked := c.bare(resource.body.provider)
	not asked in {provider.use | some provider in c.providers}
}

deny contains c.finding("moved-type", concat(" ", ["moved", c.bare(moved.from)]), "it moves to another type") if {
	some moved in c.bodies(object.get(input, "moved", []))
	split(c.bare(moved.from), ".")[0] != split(c.bare(moved.to), ".")[0]
}

deny contains c.finding("import-literal", concat(" ", ["import", c.bare(imported.to)]), "its id is hard-coded in the configuration") if {
	some imported in c.bodies(object.get(input, "import", []))
	c.literal(imported.id)
}

deny contains c.finding("removed-kept", concat(" ", ["removed", c.bare(removed.from)]), "the removed object is destroyed") if {
	some removed in c.bodies(object.get(input, "removed", []))
	some lifecycle in c.nested(removed, "lifecycle")
	not lifecycle.destroy == false
}
