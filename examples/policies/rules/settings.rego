# Terraform's own settings, providers, module calls.
package main

import data.overfold.config as c
import rego.v1

deny contains c.finding("required-version", "terraform", "it does not declare which tool versions it supports") if {
	count([version | some setting in c.settings; version := setting.required_version]) == 0
}

deny contains c.finding("backend-remote", concat(".", ["terraform.backend", backend.kind]), "state is kept on one machine") if {
	some backend in c.backends
	backend.kind == "local"
}

deny contains c.finding("backend-encrypted", "terraform.backend.s3", "state is not encrypted") if {
	some backend in c.backends
	backend.kind == "s3"
	not c.yes(object.get(backend.body, "encrypt", false))
}

# `aws = "~> 5.0"` is the older way to write `aws = { version = "~> 5.0" }`.
version(value) := value if is_string(value)

version(value) := value.version if is_object(value)

deny contains c.finding("provider-pinned", provider.address, "no version is required") if {
	some provider in c.required_providers
	not version(provider.value)
}

deny contains c.finding("provider-source", provider.address, "it is not from hashicorp") if {
	some provider in c.required_providers
	is_object(provider.value)
	not startswith(object.get(provider.value, "source", "hashicorp/"), "hashicorp/")
}

deny contains c.finding("provider-aliases", provider.address, "callers must pass more than one configuration") if {
	some provider in c.required_providers
	is_object(provider.value)
	count(c.bare_all(provider.value.configuration_aliases)) > 1
}

deny contains c.finding("provider-credentials", provider.address, "credentials are in the configuration") if {
	some provider in c.providers
	some name in ["access_key", "secret_key", "token"]
	c.literal(provider.body[name])
}

deny contains c.finding("provider-region", provider.address, "it is outside Europe") if {
	some provider in c.providers
	provider.name == "aws"
	c.literal(provider.body.region)
	not startswith(provider.body.region, "eu-")
}

deny contains c.finding("provider-endpoint", provider.address, "it uses a service on the local machine") if {
	some provider in c.providers
	some endpoints in c.nested(provider.body, "endpoints")
	some _, url in endpoints
	startswith(url, "http://localhost")
}

deny contains c.finding("default-tags", provider.address, "it sets no default tags") if {
	some provider in c.providers
	provider.name == "aws"
	count([tags | some block in c.nested(provider.body, "default_tags"); tags := block.tags]) == 0
}

deny contains c.finding("module-version", module.address, "a registry module without a version") if {
	some module in c.modules
	regex.match(`^[0-9A-Za-z_-]+/[0-9A-Za-z_-]+/[0-9a-z]+$`, module.body.source)
	object.get(module.body, "version", null) == null
}

deny contains c.finding("module-ref", module.address, "a repository module without a revision") if {
	some module in c.modules
	startswith(module.body.source, "git::")
	not contains(module.body.source, "ref=")
}

deny contains c.finding("module-providers", module.address, "it is given a provider that is not configured in this module") if {
	some module in c.modules
	some _, passed in module.body.providers
	not c.bare(passed) in {provider.use | some provider in c.providers}
}
