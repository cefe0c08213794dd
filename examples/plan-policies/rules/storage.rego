package main

import data.overfold.plan as p
import rego.v1

# What is optional and computed, and not set, is known only after apply; `unknown` has the shape of the values.
deny contains p.finding("encryption-not-known", volume.address, sprintf("%s[%d]", [type, index])) if {
	some volume in p.of_type("aws_instance")
	some type in {"ebs_block_device", "root_block_device"}
	some index, block in p.list(volume.unknown[type])
	block.encrypted == true
}

deny contains p.finding("bucket-without-owner", bucket.address, "it has no tag that names its owner") if {
	some bucket in p.of_type("aws_s3_bucket")
	not bucket.values.tags.owner
}

# Which bucket a block protects is in the configuration, since the bucket's name is known only after apply.
deny contains p.finding("public-bucket", sprintf("%saws_s3_bucket.%s", [bucket.module, bucket.resource.name]), "nothing blocks public access") if {
	some bucket in p.configured
	bucket.resource.type == "aws_s3_bucket"
	protected := {reference |
		some block in p.configured
		block.module == bucket.module
		block.resource.type == "aws_s3_bucket_public_access_block"
		some reference in p.references(block.resource)
	}
	not bucket.resource.address in protected
}

deny contains p.finding("public-access-allowed", block.address, argument) if {
	some block in p.of_type("aws_s3_bucket_public_access_block")
	some argument in {"block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"}
	block.values[argument] != true
}

deny contains p.finding("expiry", configuration.address, sprintf("%s: after %v days", [rule.id, block.days])) if {
	some configuration in p.of_type("aws_s3_bucket_lifecycle_configuration")
	some rule in p.blocks(configuration.values, "rule")
	some block in array.concat(p.blocks(rule, "expiration"), p.blocks(rule, "transition"))
	is_number(block.days)
	block.days < 100
}

deny contains p.finding("not-protected", database.address, "it can be deleted") if {
	some type in {"aws_db_instance", "google_sql_database_instance", "aws_dynamodb_table"}
	some database in p.of_type(type)
	argument := {"aws_dynamodb_table": "deletion_protection_enabled"}
	object.get(database.values, object.get(argument, type, "deletion_protection"), null) != true
}

deny contains p.finding("account-versions", account.address, sprintf("%v", [object.get(account.values, "min_tls_version", "not set")])) if {
	some account in p.of_type("azurerm_storage_account")
	object.get(account.values, "min_tls_version", null) != "TLS1_3"
}

deny contains p.finding("replication", account.address, account.values.account_replication_type) if {
	some account in p.of_type("azurerm_storage_account")
	not account.values.account_replication_type in {"GRS", "RAGRS", "GZRS", "RAGZRS"}
}

deny contains p.finding("storage-not-encrypted", database.address, "its storage is not encrypted") if {
	some database in p.of_type("aws_db_instance")
	object.get(database.values, "storage_encrypted", null) != true
}

deny contains p.finding("backup-not-known", database.address, "the provider decides how long backups are kept") if {
	some database in p.of_type("aws_db_instance")
	database.unknown.backup_retention_period == true
}

deny contains p.finding("short-logs", group.address, sprintf("%v days", [group.values.retention_in_days])) if {
	some group in p.of_type("aws_cloudwatch_log_group")
	is_number(group.values.retention_in_days)
	group.values.retention_in_days < 30
}
