# Storage, databases, machines.
package main

import data.overfold.config as c
import rego.v1

deny contains c.finding("bucket-public", bucket.address, "its ACL is public") if {
	some bucket in c.of_type("aws_s3_bucket")
	bucket.body.acl in {"public-read", "public-read-write"}
}

# A value that is not known yet is neither good nor bad; a separate rule reports it.
deny contains c.finding("bucket-acl-unknown", bucket.address, "its ACL is not known before the plan") if {
	some bucket in c.of_type("aws_s3_bucket")
	c.computed(bucket.body.acl)
}

versioned(bucket) if {
	some block in c.nested(bucket.body, "versioning")
	c.yes(block.enabled)
}

deny contains c.finding("bucket-versioned", bucket.address, "versioning is not enabled") if {
	some bucket in c.of_type("aws_s3_bucket")
	not versioned(bucket)
}

# One finding, no matter how many of the blocks are too short.
deny contains c.finding("bucket-expiry", bucket.address, "a lifecycle rule expires objects in less than 30 days") if {
	some bucket in c.of_type("aws_s3_bucket")
	some rule in c.nested(bucket.body, "lifecycle_rule")
	some expiration in c.nested(rule, "expiration")
	c.number(expiration.days) < 30
}

deny contains c.finding("disk-encrypted", instance.address, "a disk is not encrypted") if {
	some instance in c.of_type("aws_instance")
	some type in ["root_block_device", "ebs_block_device"]
	some disk in c.nested(instance.body, type)
	not c.yes(disk.encrypted)
}

deny contains c.finding("disk-count", instance.address, "it has more than two disks") if {
	some instance in c.of_type("aws_instance")
	count(c.nested(instance.body, "ebs_block_device")) > 2
}

deny contains c.finding("instance-size", instance.address, "its type is not a t3") if {
	some instance in c.of_type("aws_instance")
	c.literal(instance.body.instance_type)
	not startswith(instance.body.instance_type, "t3.")
}

deny contains c.finding("instance-public", instance.address, "it has a public address") if {
	some instance in c.of_type("aws_instance")
	c.yes(instance.body.associate_public_ip_address)
}

tokens_required(instance) if {
	some options in c.nested(instance.body, "metadata_options")
	options.http_tokens == "required"
}

deny contains c.finding("instance-metadata", instance.address, "metadata is served without a token") if {
	some instance in c.of_type("aws_instance")
	not tokens_required(instance)
}

deny contains c.finding("user-data-pipe", instance.address, "user data executes a download") if {
	some instance in c.of_type("aws_instance")
	regex.match(`curl [^\n]*\| *(ba)?sh`, instance.body.user_data)
}

# Absent, null, false and unknown all count as not true.
deny contains c.finding("database-protected", database.address, "deletion_protection is not true") if {
	some database in c.of_type("aws_db_instance")
	not c.yes(object.get(database.body, "deletion_protection", null))
}

deny contains c.finding("database-size", database.address, "more than 100 GiB") if {
	some database in c.of_type("aws_db_instance")
	c.number(database.body.allocated_storage) > 100
}

deny contains c.finding("database-password", database.address, "its password is in the configuration") if {
	some database in c.of_type("aws_db_instance")
	c.literal(database.body.password)
}

# Some arguments are blocks in one version of a provider and a map in another, so check both.
deny contains c.finding("tag-owner", resource.address, "it has no Owner tag") if {
	some resource in c.resources
	resource.type in {"aws_instance", "aws_s3_bucket", "aws_db_instance"}
	tags := object.get(resource.body, "tags", {})
	is_object(tags)
	object.get(tags, "Owner", null) == null
}

deny contains c.finding("tag-computed-key", resource.address, "the name of a tag is computed") if {
	some resource in c.resources
	is_object(resource.body.tags)
	some key, _ in resource.body.tags
	c.computed(key)
}
