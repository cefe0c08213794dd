package main

import data.overfold.plan as p
import rego.v1

deny contains p.finding("machine-type", instance.address, instance.values[argument]) if {
	some type, argument in {"aws_instance": "instance_type", "google_compute_instance": "machine_type", "aws_db_instance": "instance_class"}
	some instance in p.of_type(type)
	not regex.match(`(micro|small)`, instance.values[argument])
}

deny contains p.finding("public-instance", instance.address, "it gets a public address") if {
	some instance in p.of_type("google_compute_instance")
	some interface in p.blocks(instance.values, "network_interface")
	count(p.blocks(interface, "access_config")) > 0
}

deny contains p.finding("metadata-tokens", instance.address, "the metadata service answers without a token") if {
	some type in {"aws_instance", "aws_launch_template"}
	some instance in p.of_type(type)
	count([1 | some options in p.blocks(instance.values, "metadata_options"); options.http_tokens == "required"]) == 0
}

deny contains p.finding("memory", lambda.address, sprintf("%v MB for %v", [lambda.values.memory_size, lambda.values.runtime])) if {
	some lambda in p.of_type("aws_lambda_function")
	is_number(lambda.values.memory_size)
	lambda.values.memory_size > 128
}

# Text in JSON.
deny contains p.finding("container", task.address, sprintf("%s: %s", [container.name, container.image])) if {
	some task in p.of_type("aws_ecs_task_definition")
	json.is_valid(task.values.container_definitions)
	some container in json.unmarshal(task.values.container_definitions)
}

deny contains p.finding("pod", deployment.address, sprintf("%s: %s", [container.name, container.image])) if {
	some deployment in p.of_type("kubernetes_deployment")
	some spec in p.blocks(deployment.values, "spec")
	some template in p.blocks(spec, "template")
	some pod in p.blocks(template, "spec")
	some container in p.blocks(pod, "container")
	count([1 | some context in p.blocks(container, "security_context"); context.run_as_non_root == true]) == 0
}

deny contains p.finding("manifest", manifest.address, sprintf("%v", [manifest.values.manifest.kind])) if {
	some manifest in p.of_type("kubernetes_manifest")
}

deny contains p.finding("cloud-run", service.address, sprintf("%v: %v", [container.image, variable.name])) if {
	some service in p.of_type("google_cloud_run_v2_service")
	some template in p.blocks(service.values, "template")
	some container in p.blocks(template, "containers")
	some variable in p.blocks(container, "env")
	count(p.blocks(variable, "value_source")) == 0
}

deny contains p.finding("node-pool", pool.address, sprintf("%v to %v nodes", [scaling.min_node_count, scaling.max_node_count])) if {
	some pool in p.of_type("google_container_node_pool")
	some scaling in p.blocks(pool.values, "autoscaling")
}

deny contains p.finding("web-app", app.address, sprintf("%v", [object.get(site, "minimum_tls_version", "not set")])) if {
	some type in {"azurerm_linux_web_app", "azurerm_linux_web_app_slot", "azurerm_linux_function_app"}
	some app in p.of_type(type)
	some site in p.blocks(app.values, "site_config")
}
