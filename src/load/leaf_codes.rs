//! Codes of what stands in single arguments: references, addresses, versions, sources, keywords.

crate::codes! {
    REFERENCE_EXPRESSION = "load/reference-no-text", Error, "Invalid reference expression",
        "A reference in JSON syntax is given as something other than a text.";
    QUOTED_REFERENCE = "load/quoted-reference", Warning, "Quoted references are deprecated",
        "A reference is written in quotes, as versions before 0.12 wanted it. Write it without.";
    QUOTED_KEYWORD = "load/quoted-keyword", Warning, "Quoted keywords are deprecated",
        "A keyword is written in quotes, as versions before 0.12 wanted it. Write it without.";

    INVALID_REFERENCE = "load/invalid-reference", Error, "Invalid reference",
        "A reference is too short for its kind, or asks its object for something that it does not have.";
    INVALID_INDEX_KEY = "load/invalid-index-key", Error, "Invalid index key",
        "The key of a resource or module instance is no whole number and no text.";
    RESERVED_SYMBOL = "load/reserved-symbol", Error, "Reserved symbol name",
        "The name is reserved for the language. A resource type of that name is reached as `resource.NAME`.";
    PROVIDER_KEY_AMBIGUOUS = "load/ambiguous-provider-key", Error, "Ambiguous attribute key",
        "A key of a required provider is a reference. It should be a plain word, or text in quotes.";
    PROVIDER_REFERENCE = "load/invalid-provider-reference", Error, "Invalid provider configuration reference",
        "A provider configuration is named by its local name alone or with a dot and an alias.";
    PROVIDER_LOCAL_NAME = "load/invalid-provider-local-name", Error, "Invalid provider local name",
        "The local name of a provider is not in lower-case normal form, or holds characters that it may not have.";
    DUPLICATE_PROVIDER_ADDRESS = "load/duplicate-provider-address", Error, "Duplicate provider address",
        "A module call passes two configurations for the same provider of the module.";
    IGNORE_CHANGES_WILDCARD = "load/ignore-changes-wildcard", Error, "Invalid ignore_changes wildcard",
        "`ignore_changes` is given as [\"*\"], as versions before 0.12 wanted it. Write the keyword all.";
    IGNORE_CHANGES_RULESET = "load/ignore-changes-ruleset", Error, "Invalid ignore_changes ruleset",
        "`ignore_changes` holds the wildcard beside attributes.";
    TRIGGER_EXPRESSION = "load/invalid-trigger-expression", Error, "Invalid replace_triggered_by expression",
        "An item of `replace_triggered_by` has to name exactly one resource.";
    TRIGGER_REFERENCE = "load/invalid-trigger-reference", Error, "Invalid reference in replace_triggered_by expression",
        "An item of `replace_triggered_by` refers to something other than resources, count.index and each.key.";
    TRIGGER_EACH = "load/invalid-trigger-each", Error, "Invalid each reference in replace_triggered_by expression",
        "Only each.key may be used in `replace_triggered_by`.";
    TRIGGER_COUNT = "load/invalid-trigger-count", Error, "Invalid count reference in replace_triggered_by expression",
        "Only count.index may be used in `replace_triggered_by`.";
    DEPENDS_ON_ACTION = "load/depends-on-action", Error, "Invalid depends_on Action Reference",
        "`depends_on` takes no actions.";
    DESTROY_REFERENCE = "load/destroy-provisioner-reference", Error, "Invalid reference from destroy provisioner",
        "A destroy-time provisioner and its connection may only use self, count.index, each.key, path and terraform.";

    INVALID_ADDRESS = "load/invalid-address", Error, "Invalid address",
        "The text is no address of a resource or module.";
    INVALID_ADDRESS_OPERATOR = "load/invalid-address-operator", Error, "Invalid address operator",
        "The module part of an address is incomplete or followed by something that is no name.";
    RESOURCE_KEY_NOT_ALLOWED = "load/resource-key-not-allowed", Error, "Resource instance keys not allowed",
        "The address has to name a whole resource, not one instance.";
    MODULE_KEY_NOT_ALLOWED = "load/module-key-not-allowed", Error, "Module instance keys not allowed",
        "The address has to name a whole module, not one instance.";
    DATA_NOT_ALLOWED = "load/data-address-not-allowed", Error, "Data source address not allowed",
        "Data sources are never destroyed, so `removed` does not take them.";
    EPHEMERAL_NOT_ALLOWED = "load/ephemeral-address-not-allowed", Error, "Ephemeral resource address is not allowed",
        "Ephemeral resources leave nothing behind, so `removed` does not take them.";
    MOVED_ADDRESS = "load/unmovable-address", Error, "Invalid \"moved\" address",
        "An end of a `moved` block is missing, cannot be read, or is an ephemeral resource, which cannot move.";
    MOVED_ADDRESSES = "load/incompatible-moved-addresses", Error, "Invalid \"moved\" addresses",
        "The two addresses of a `moved` block are of different kinds.";
    IMPORT_ADDRESS = "load/invalid-import-address", Error, "Invalid import address",
        "Only managed resources can be imported.";
    IMPORT_EXPRESSION = "load/invalid-import-expression", Error, "Invalid import address expression",
        "The target of an import is the address of a resource; only its keys may be other expressions.";
    IMPORT_PROVIDER = "load/import-provider-for-module", Error, "Invalid import provider argument",
        "`provider` cannot be chosen for a target inside a module.";
    IMPORT_DUPLICATE = "load/duplicate-import", Error, "Duplicate import configuration for \"ADDRESS\"",
        "Two `import` blocks name the same target.";
    IMPORT_DUPLICATE_ID = "load/duplicate-import-id", Error, "Duplicate import for ID \"ID\"",
        "Two `import` blocks name the same remote object for resources of one type.";
    IMPORT_MOVE_SOURCE = "load/import-to-move-source", Error, "Cannot import to a move source",
        "The target of an `import` block is the old address of a `moved` block.";

    VERSION_CONSTRAINT = "load/invalid-version-constraint", Error, "Invalid version constraint",
        "The text is no list of version constraints.";
    UNSUPPORTED_TOOL_VERSION = "load/unsupported-tool-version", Error, "Unsupported Terraform Core version",
        "The configuration asks for other versions of the tool than the one that is followed. Follow one that fits, or change `required_version`.";
    INCOMPATIBLE_MODULE = "load/incompatible-module", Error, "Incompatible module",
        "A file asks for other versions of the tool than the one that is followed. The tool then says nothing else about the module.";
    INEFFECTIVE_CONSTRAINT = "load/ineffective-version-constraint", Warning, "Ineffective version constraint",
        "The constraint allows releases that do not know the block in which it stands.";
    CONSTRAINT_REFUSED_LATER = "load/version-constraint-refused-later", Info, "Version constraint no provider can meet",
        "The constraint can be loaded, but the stricter reader that picks the versions of providers refuses it.";
    REQUIRED_VERSION_PRE_RELEASE = "load/pre-release-in-required-version", Error, "Invalid required_version constraint",
        "`required_version` names a pre-release, which the tool does not support there.";
    PROVIDER_REQUIRED_TWICE = "load/provider-required-twice", Warning, "Duplicate required provider",
        "One provider has several local names in a module, so it is unclear which configuration it gets. Use one local name for it everywhere.";
    PROVIDER_UNDEFINED = "load/provider-undefined", Warning, "Reference to undefined provider",
        "A module call passes on a provider configuration whose name nothing in the module declares. Add an entry to required_providers.";
    UNKNOWN_PLAIN_VARIABLE = "load/unknown-variable-referenced", Error, "PLACE: unknown variable referenced: 'NAME'; define it with a 'variable' block",
        "An interpolation refers to a variable that the module does not declare.";
    UNKNOWN_PLAIN_MODULE = "load/unknown-module-referenced", Error, "PLACE: unknown module referenced: NAME",
        "An interpolation refers to a module that the module does not call.";
    UNKNOWN_PLAIN_RESOURCE = "load/unknown-resource-referenced", Error, "PLACE: unknown resource 'ADDRESS' referenced in variable REFERENCE",
        "An interpolation refers to a resource or data source that the module does not declare.";
    OWN_VERSION_NOT_KEPT = "load/own-version-not-kept", Info, "Version constraint is not kept",
        "The tool compares a constraint of its own version where it stands, file by file. It is not merged and not part of the result.";
    MODULE_SOURCE = "load/invalid-module-source", Error, "Invalid module source address",
        "The source of a module is neither a local path nor a registry address nor a place to download from.";
    REGISTRY_SOURCE = "load/invalid-registry-module-source", Error, "Invalid registry module source address",
        "A module with a version has to come from a registry, and the source is no registry address.";
    VERSION_WITHOUT_REGISTRY = "load/version-without-registry", Error, "Invalid version constraint",
        "A module call has a version, and its source is not a registry. One of the two may come from an override file. The tool loads this and refuses it when it installs modules.";

    REQUIRED_PROVIDERS_OBJECT = "load/invalid-required-providers-object", Error, "Invalid required_providers object",
        "An entry of required_providers is neither a text nor an object with source, version and configuration_aliases.";
    REQUIRED_PROVIDERS_KEY = "load/invalid-required-providers-key", Error, "Invalid Attribute",
        "A key of an entry of required_providers is no text.";
    PROVIDER_NAME = "load/invalid-provider-name", Error, "Invalid provider name",
        "The local name of a required provider holds characters that it may not have.";
    PROVIDER_SOURCE = "load/invalid-provider-source", Error, "Invalid source",
        "The source of a provider has to be a constant text.";
    PROVIDER_SOURCE_FORM = "load/invalid-provider-source-form", Error, "Invalid provider source string",
        "The source of a provider is written [HOST/][NAMESPACE/]NAME.";
    PROVIDER_SOURCE_NAMESPACE = "load/invalid-provider-namespace", Error, "Invalid provider namespace",
        "The namespace in the source of a provider holds characters that it may not have.";
    PROVIDER_SOURCE_TYPE = "load/invalid-provider-type", Error, "Invalid provider type",
        "The last part of the source of a provider is no valid provider name.";
    PROVIDER_SOURCE_HOST = "load/invalid-provider-host", Error, "Invalid provider source hostname",
        "The host name in the source of a provider is not valid.";
    CONFIGURATION_ALIAS = "load/invalid-configuration-alias", Error, "Invalid configuration_aliases value",
        "An item of configuration_aliases has to be the provider's own local name, a dot and an alias.";
    VARIABLES_NOT_ALLOWED = "load/key-not-constant", Error, "Variables not allowed",
        "A key of an entry of required_providers refers to something.";

    KEYWORD = "load/invalid-keyword", Error, "Invalid keyword",
        "The argument takes one of a few bare words.";
    EDITION = "load/invalid-language-edition", Error, "Invalid language edition",
        "The language edition has to be a bare keyword.";
    EDITION_UNSUPPORTED = "load/unsupported-language-edition", Error, "Unsupported language edition",
        "The tool does not know this language edition.";
    EXPERIMENTS = "load/uses-experiments", Error, "Module uses experimental features",
        "Releases of the tool take no experiments.";
    EXPERIMENT_CONCLUDED = "load/experiment-concluded", Error, "Experiment has concluded",
        "The experiment is over; the feature is part of the language, or gone.";
    EXPERIMENT_UNKNOWN = "load/unknown-experiment", Error, "Unknown experiment keyword",
        "The tool knows no experiment of this name.";
    EXPERIMENT_KEYWORD = "load/invalid-experiment-keyword", Error, "Invalid experiment keyword",
        "An experiment is named by a bare keyword.";
    EXPERIMENT_ACTIVE = "load/experiment-active", Warning, "Experimental feature \"FEATURE\" is active",
        "The module uses an experiment; what it does may change or go.";

    CONDITION_WITHOUT_REFERENCE = "load/condition-without-reference", Error, "Invalid KIND expression",
        "A condition that refers to nothing has always the same result.";
    VALIDATION_CONDITION = "load/validation-without-its-variable", Error, "Invalid variable validation condition",
        "The condition of a validation has to use the variable that it belongs to.";
    VALIDATION_REFERENCE = "load/validation-foreign-reference", Error, "Invalid reference in variable validation",
        "A validation may only refer to its own variable in this version.";
    SELF_REFERENCE = "load/condition-self-reference", Error, "Invalid reference in KIND",
        "A condition block names its own object by its address; it has to use self.";
}
