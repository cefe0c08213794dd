//! Codes of the language: references, addresses, module and provider sources, keywords.

overfold_base::codes! {
    UNSUITABLE_VALUE = "load/unsuitable-value", Error, "Unsuitable value type",
        "The value is not a constant, or does not have the type that the argument needs.";
    INVALID_REFERENCE = "load/invalid-reference", Error, "Invalid reference",
        "The reference is incomplete, or refers to an attribute that does not exist.";
    INVALID_INDEX_KEY = "load/invalid-index-key", Error, "Invalid index key",
        "The key of a resource or module instance must be a whole number or a string.";
    RESERVED_SYMBOL = "load/reserved-symbol", Error, "Reserved symbol name",
        "The name is reserved for the language. A resource type of that name is written `resource.NAME`.";
    PROVIDER_KEY_AMBIGUOUS = "load/ambiguous-provider-key", Error, "Ambiguous attribute key",
        "The key of a required provider must be a plain name or a quoted string.";
    PROVIDER_REFERENCE = "load/invalid-provider-reference", Error, "Invalid provider configuration reference",
        "A reference to a provider configuration consists of the local name of the provider, optionally followed by a dot and an alias.";
    PROVIDER_LOCAL_NAME = "load/invalid-provider-local-name", Error, "Invalid provider local name",
        "The local name of a provider is not in lower case, or contains characters that are not allowed.";
    DUPLICATE_PROVIDER_ADDRESS = "load/duplicate-provider-address", Error, "Duplicate provider address",
        "A module call sets the same provider configuration twice.";
    IGNORE_CHANGES_WILDCARD = "load/ignore-changes-wildcard", Error, "Invalid ignore_changes wildcard",
        "The list [\"*\"] is no longer supported. Write the keyword `all` instead.";
    IGNORE_CHANGES_RULESET = "load/ignore-changes-ruleset", Error, "Invalid ignore_changes ruleset",
        "The list combines the wildcard, which already covers every attribute, with other items.";
    TRIGGER_EXPRESSION = "load/invalid-trigger-expression", Error, "Invalid replace_triggered_by expression",
        "Each item of `replace_triggered_by` must refer to exactly one resource.";
    TRIGGER_REFERENCE = "load/invalid-trigger-reference", Error, "Invalid reference in replace_triggered_by expression",
        "Items of `replace_triggered_by` can refer only to resources, `count.index` and `each.key`.";
    TRIGGER_EACH = "load/invalid-trigger-each", Error, "Invalid each reference in replace_triggered_by expression",
        "Only `each.key` can be used in `replace_triggered_by`.";
    TRIGGER_COUNT = "load/invalid-trigger-count", Error, "Invalid count reference in replace_triggered_by expression",
        "Only `count.index` can be used in `replace_triggered_by`.";
    DEPENDS_ON_ACTION = "load/depends-on-action", Error, "Invalid depends_on Action Reference",
        "`depends_on` cannot refer to actions, because they run only when a resource triggers them.";
    DESTROY_REFERENCE = "load/destroy-provisioner-reference", Error, "Invalid reference from destroy provisioner",
        "A destroy-time provisioner and its connection can refer only to `self`, `count.index`, `each.key`, `path` and `terraform`, because other objects may no longer exist.";
    INVALID_ADDRESS = "load/invalid-address", Error, "Invalid address",
        "The string is not a valid resource or module address.";
    INVALID_ADDRESS_OPERATOR = "load/invalid-address-operator", Error, "Invalid address operator",
        "The module part of the address is incomplete, or is not followed by a valid name.";
    RESOURCE_KEY_NOT_ALLOWED = "load/resource-key-not-allowed", Error, "Resource instance keys not allowed",
        "The address must refer to a whole resource, not to one instance.";
    MODULE_KEY_NOT_ALLOWED = "load/module-key-not-allowed", Error, "Module instance keys not allowed",
        "The address must refer to a whole module, not to one instance.";
    DATA_NOT_ALLOWED = "load/data-address-not-allowed", Error, "Data source address not allowed",
        "Data sources are only read, never destroyed, so they cannot be used in `removed`.";
    EPHEMERAL_NOT_ALLOWED = "load/ephemeral-address-not-allowed", Error, "Ephemeral resource address is not allowed",
        "Ephemeral resources are not stored in the state, so they cannot be used in `removed`.";
    OVERRIDE_TARGET = "load/invalid-override-target", Error, "Invalid override target",
        "The target of an override block in a test file must be the kind of object that the block overrides.";
    IMPORT_ADDRESS = "load/invalid-import-address", Error, "Invalid import address",
        "Only managed resources can be imported.";
    IMPORT_EXPRESSION = "load/invalid-import-expression", Error, "Invalid import address expression",
        "The target of an import must be a resource address; only its instance keys can be expressions.";
    IMPORT_PROVIDER = "load/import-provider-for-module", Error, "Invalid import provider argument",
        "A resource inside a module uses the provider configuration of that module, so `provider` cannot be set.";
    IMPORT_DUPLICATE = "load/duplicate-import", Error, "Duplicate import configuration for \"ADDRESS\"",
        "Two `import` blocks have the same target.";
    VERSION_CONSTRAINT = "load/invalid-version-constraint", Error, "Invalid version constraint",
        "The string is not a valid version constraint.";
    CONSTRAINT_REFUSED_LATER = "load/version-constraint-refused-later", Info, "Version constraint that no provider version satisfies",
        "The constraint is accepted while the configuration is loaded, but rejected when provider versions are selected.";
    REQUIRED_PROVIDERS_OBJECT = "load/invalid-required-providers-object", Error, "Invalid required_providers object",
        "An entry of `required_providers` must be a string, or an object with `source`, `version` and `configuration_aliases`.";
    REQUIRED_PROVIDERS_KEY = "load/invalid-required-providers-key", Error, "Invalid Attribute",
        "The keys of an entry of `required_providers` must be strings.";
    PROVIDER_NAME = "load/invalid-provider-name", Error, "Invalid provider name",
        "The local name of a required provider contains invalid characters.";
    PROVIDER_SOURCE = "load/invalid-provider-source", Error, "Invalid source",
        "The source of a provider must be a constant string.";
    PROVIDER_SOURCE_FORM = "load/invalid-provider-source-form", Error, "Invalid provider source string",
        "The source of a provider has the form [HOST/][NAMESPACE/]NAME.";
    PROVIDER_SOURCE_NAMESPACE = "load/invalid-provider-namespace", Error, "Invalid provider namespace",
        "The namespace in the provider source contains invalid characters.";
    PROVIDER_SOURCE_TYPE = "load/invalid-provider-type", Error, "Invalid provider type",
        "The last part of the provider source is not a valid provider name.";
    PROVIDER_SOURCE_HOST = "load/invalid-provider-host", Error, "Invalid provider source hostname",
        "The host name in the source of a provider is not valid.";
    CONFIGURATION_ALIAS = "load/invalid-configuration-alias", Error, "Invalid configuration_aliases value",
        "Each item of `configuration_aliases` must be the local name of the provider, a dot and an alias.";
    VARIABLES_NOT_ALLOWED = "load/key-not-constant", Error, "Variables not allowed",
        "The keys of an entry of `required_providers` cannot be references.";
    KEYWORD = "load/invalid-keyword", Error, "Invalid keyword",
        "The value is not one of the keywords that the argument accepts.";
    EDITION = "load/invalid-language-edition", Error, "Invalid language edition",
        "The language edition must be a bare keyword.";
    EDITION_UNSUPPORTED = "load/unsupported-language-edition", Error, "Unsupported language edition",
        "This language edition is not supported.";
    EXPERIMENTS = "load/uses-experiments", Error, "Module uses experimental features",
        "Only development builds support experiments, and a release is followed here.";
    EXPERIMENT_CONCLUDED = "load/experiment-concluded", Error, "Experiment has concluded",
        "The experiment has concluded: the feature is now part of the language, or has been removed. Remove the experiment from the list.";
    EXPERIMENT_UNKNOWN = "load/unknown-experiment", Error, "Unknown experiment keyword",
        "The version followed here has no experiment with this name.";
    EXPERIMENT_KEYWORD = "load/invalid-experiment-keyword", Error, "Invalid experiment keyword",
        "An experiment must be a bare keyword.";
    EXPERIMENT_ACTIVE = "load/experiment-active", Warning, "Experimental feature \"FEATURE\" is active",
        "The module uses an experimental feature, which can change or disappear.";
    CONDITION_WITHOUT_REFERENCE = "load/condition-without-reference", Error, "Invalid KIND expression",
        "The condition does not refer to anything, so its result is always the same.";
    VALIDATION_CONDITION = "load/validation-without-its-variable", Error, "Invalid variable validation condition",
        "The condition of a validation must refer to the variable that it validates.";
    VALIDATION_REFERENCE = "load/validation-foreign-reference", Error, "Invalid reference in variable validation",
        "In this version the condition of a validation can refer only to its own variable.";
    SELF_REFERENCE = "load/condition-self-reference", Error, "Invalid reference in KIND",
        "A condition block cannot refer to its own object by address. Use `self` instead.";
}
