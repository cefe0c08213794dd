Feature: Storage is kept and protected

  Scenario: Everything that supports tags has some
    Given I have resource that supports tags defined
    Then it must have tags
    And its value must not be null

  Scenario: Public access is blocked
    Given I have aws_s3_bucket_public_access_block defined
    Then it must have block_public_acls
    And its value must be true

  Scenario: Buckets refer to a block of public access
    Given I have aws_s3_bucket defined
    Then it must have aws_s3_bucket_public_access_block

  Scenario: Logs are kept for a month
    Given I have aws_cloudwatch_log_group defined
    When it has retention_in_days
    Then its value must be greater than 29

  Scenario: Databases are encrypted
    Given I have aws_db_instance defined
    Then it must have storage_encrypted
    And its value must be true

  Scenario: Databases keep backups
    Given I have aws_db_instance defined
    Then it must have backup_retention_period

  Scenario: Queues have somewhere to put what fails
    Given I have aws_sqs_queue defined
    Then it must have redrive_policy

  Scenario: Queues encrypt with a key
    Given I have aws_sqs_queue defined
    Then it must have kms_master_key_id
    And its value must not be null

  Scenario: Volumes are encrypted
    Given I have aws_instance defined
    When it has ebs_block_device
    Then it must have encrypted

  Scenario: Storage accounts refuse old protocols
    Given I have azurerm_storage_account defined
    Then it must have min_tls_version
    And its value must be TLS1_2

  Scenario: Tables can be restored
    Given I have aws_dynamodb_table defined
    When it has point_in_time_recovery
    Then it must have enabled
    And its value must be true

  Scenario: Secrets come from elsewhere
    Given I have azurerm_key_vault_secret defined
    When it has value
    Then its value must match the "^vault:" regex
