package main

import data.overfold.plan as p
import rego.v1

# `ingress` is an attribute that is usually written as a block; what is not set in it is null.
deny contains p.finding("open-ingress", group.address, sprintf("%v-%v is open to everyone", [rule.from_port, rule.to_port])) if {
	some type in {"aws_security_group", "aws_default_security_group"}
	some group in p.of_type(type)
	some rule in p.blocks(group.values, "ingress")
	some cidr in array.concat(p.list(rule.cidr_blocks), p.list(rule.ipv6_cidr_blocks))
	p.everywhere(cidr)
}

deny contains p.finding("open-ingress", rule.address, sprintf("port %v is open to everyone", [rule.values.from_port])) if {
	some rule in p.of_type("aws_vpc_security_group_ingress_rule")
	p.everywhere(rule.values.cidr_ipv4)
}

deny contains p.finding("open-ingress", group.address, sprintf("%s is open to everyone", [rule.name])) if {
	some group in p.of_type("azurerm_network_security_group")
	some rule in p.blocks(group.values, "security_rule")
	rule.direction == "Inbound"
	rule.access == "Allow"
	p.everywhere(rule.source_address_prefix)
}

deny contains p.finding("open-ingress", firewall.address, "it is open to everyone") if {
	some firewall in p.of_type("google_compute_firewall")
	some range in p.list(firewall.values.source_ranges)
	p.everywhere(range)
}

# A group whose rules are not known can't be judged.
deny contains p.finding("ingress-not-known", group.address, "who may connect is known only after apply") if {
	some group in p.of_type("aws_security_group")
	group.unknown.ingress == true
}

deny contains p.finding("public-address", subnet.address, "instances get public addresses") if {
	some subnet in p.of_type("aws_subnet")
	subnet.values.map_public_ip_on_launch == true
}

deny contains p.finding("small-network", network.address, sprintf("%s is smaller than a /20", [network.values.cidr_block])) if {
	some network in p.of_type("aws_subnet")
	to_number(split(network.values.cidr_block, "/")[1]) > 20
}

deny contains p.finding("plain-listener", listener.address, "it accepts what is not encrypted") if {
	some listener in p.of_type("aws_lb_listener")
	listener.values.protocol == "HTTP"
}

deny contains p.finding("public-database", database.address, sprintf("%v may connect", [network.value])) if {
	some database in p.of_type("google_sql_database_instance")
	some settings in p.blocks(database.values, "settings")
	some addresses in p.blocks(settings, "ip_configuration")
	some network in p.blocks(addresses, "authorized_networks")
}

deny contains p.finding("public-cluster", cluster.address, "its nodes have public addresses") if {
	some cluster in p.of_type("google_container_cluster")
	count([1 | some block in p.blocks(cluster.values, "private_cluster_config"); block.enable_private_nodes]) == 0
}

deny contains p.finding("public-cluster", cluster.address, "its endpoint is public, or not known not to be") if {
	some cluster in p.of_type("aws_eks_cluster")
	some block in p.blocks(cluster.values, "vpc_config")
	object.get(block, "endpoint_public_access", true) != false
}
