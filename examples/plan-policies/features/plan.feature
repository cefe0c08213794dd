Feature: The plan as a whole

  Scenario: A plan stays small
    Given I have any resource defined
    When I count them
    Then I expect the result is less than 10

  Scenario: Instances are small
    Given I have aws_instance defined
    When it has instance_type
    Then its value must match the "(nano|micro|small)$" regex

  Scenario: Machines are small
    Given I have google_compute_instance defined
    When it has machine_type
    Then its value must match the "(micro|small)" regex

  Scenario: Images are pinned
    Given I have kubernetes_deployment defined
    When it has image
    Then its value must match the ":v[0-9]+$" regex

  Scenario: Buckets depend on a key
    Given I have aws_s3_bucket_server_side_encryption_configuration defined
    Then it must have "aws_kms_key.this" referenced

  Scenario: Web applications name their version of TLS
    Given I have azurerm_linux_web_app defined
    When it has site_config
    Then it must have minimum_tls_version
