Feature: Networks let in only what they must

  Scenario: Nobody may connect from everywhere to a group's ports
    Given I have aws_security_group defined
    When it has ingress
    Then it must have ingress
    And it must not have tcp protocol and port 443 for 0.0.0.0/0

  Scenario: Rules of their own name a narrow range
    Given I have aws_vpc_security_group_ingress_rule defined
    When it has cidr_ipv4
    Then its value must not match the "\/0$" regex

  Scenario: Firewalls have a narrow source
    Given I have google_compute_firewall defined
    When it has source_ranges
    Then its value must not match the "^0\.0\.0\.0\/0$" regex

  Scenario: Subnets are large enough
    Given I have aws_subnet defined
    When it has cidr_block
    Then its value must match the "\/(1[0-9]|20)$" regex

  Scenario: Subnets give no public addresses
    Given I have aws_subnet defined
    Then it must have map_public_ip_on_launch
    And its value must not be true

  Scenario: Listeners encrypt
    Given I have aws_lb_listener defined
    When it has protocol
    Then its value must be HTTPS

  Scenario: Security rules of Azure name a source
    Given I have azurerm_network_security_group defined
    When it has security_rule
    Then it must have source_address_prefix
    And its value must not match the "^(\*|Internet)$" regex

  Scenario: Instances have no public address
    Given I have google_compute_instance defined
    When it has network_interface
    Then it must not have access_config
