Feature: Nobody may do more than they need

  Scenario: Roles name who takes them
    Given I have aws_iam_role defined
    Then it must have assume_role_policy
    And its value must match the "sts:AssumeRole" regex

  Scenario: Keys have a policy of their own
    Given I have aws_kms_key defined
    Then it must have policy

  Scenario: Policies of keys don't allow everything
    Given I have aws_kms_key defined
    When it has policy
    Then its value must not match the "kms:\*" regex

  Scenario: Members have no role for the whole project
    Given I have google_project_iam_member defined
    Then the scenario should fail

  Scenario: Only readers are assigned
    Given I have azurerm_role_assignment defined
    When it has role_definition_name
    Then its value must match the "Reader" regex

  Scenario: Nobody deletes pods
    Given I have kubernetes_role defined
    When it has rule
    Then it must have verbs
    And its value must not match the "\*" regex

  Scenario: The region is given
    Given I have aws provider configured
    Then it must have region

  Scenario: Providers have no keys
    Given I have aws provider configured
    Then it must not have access_key
