package main

import data.overfold.plan as p
import rego.v1

# Arguments that hold a policy as text.
policies := {
	"aws_iam_policy": "policy",
	"aws_iam_role": "assume_role_policy",
	"aws_iam_role_policy": "policy",
	"aws_kms_key": "policy",
	"aws_s3_bucket_policy": "policy",
	"aws_sqs_queue_policy": "policy",
}

deny contains p.finding("policy-not-known", resource.address, "what it allows is known only after apply") if {
	some type, argument in policies
	some resource in p.of_type(type)
	resource.unknown[argument] == true
}

deny contains p.finding("wide-policy", resource.address, sprintf("%s: %v", [statement.Effect, action])) if {
	some type, argument in policies
	some resource in p.of_type(type)
	json.is_valid(resource.values[argument])
	some statement in p.list(json.unmarshal(resource.values[argument]).Statement)
	some action in p.list(statement.Action)
	contains(action, "*")
}

deny contains p.finding("trust", resource.address, sprintf("%s: %v", [kind, name])) if {
	some resource in p.of_type("aws_iam_role")
	json.is_valid(resource.values.assume_role_policy)
	some statement in p.list(json.unmarshal(resource.values.assume_role_policy).Statement)
	some kind, names in statement.Principal
	some name in p.list(names)
}

deny contains p.finding("role-for-project", member.address, sprintf("%s for the whole project", [member.values.role])) if {
	some member in p.of_type("google_project_iam_member")
}

deny contains p.finding("azure-role", assignment.address, assignment.values.role_definition_name) if {
	some assignment in p.of_type("azurerm_role_assignment")
}

deny contains p.finding("vault-access", vault.address, sprintf("%s of %s", [permission, kind])) if {
	some vault in p.of_type("azurerm_key_vault")
	some policy in p.blocks(vault.values, "access_policy")
	some kind in {"certificate_permissions", "key_permissions", "secret_permissions"}
	some permission in p.list(policy[kind])
	permission in {"Delete", "Purge", "Set"}
}

deny contains p.finding("kubernetes-verbs", role.address, sprintf("%v on %v", [verb, resource])) if {
	some role in p.of_type("kubernetes_role")
	some rule in p.blocks(role.values, "rule")
	some verb in p.list(rule.verbs)
	verb in {"*", "create", "delete", "patch", "update"}
	some resource in p.list(rule.resources)
}

# Secrets: what Terraform would hide on a terminal, wherever it is within an argument.
deny contains p.finding("secret-argument", resource.address, concat(".", [sprintf("%v", [part]) | some part in path])) if {
	some resource in p.changes
	walk(resource.change.after_sensitive, [path, value])
	value == true
}

deny contains p.finding("credentials", sprintf("provider.%s", [name]), argument) if {
	some name, provider in input.configuration.provider_config
	some argument in {"access_key", "password", "secret_key", "token"}
	provider.expressions[argument].constant_value
}
