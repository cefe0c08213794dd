//! Codes of the checks of a merged module.

overfold_base::codes! {
    NAME_TAKEN = "load/name-taken", Error, "NAME cannot be replaced",
        "The name belongs to something built-in, which cannot be replaced. Choose another name.";
    NOT_BOTH = "load/two-forms", Error, "Conflicting forms",
        "The configuration sets this in two forms that exclude each other. Keep only one of them.";
    TWO_FORMS = "load/argument-and-blocks", Info, "Argument and blocks with the same name",
        "An argument and nested blocks have the same name. The provider's schema decides which of them is used; `config` can show only one of them.";
    NO_JSON_FORM = "load/no-json-form", Info, "Value has no JSON form",
        "JSON syntax cannot express this value, so loading `config` again produces a different one.";
    IMPLIED_FILE = "load/implied-file", Warning ours, "Source is implied by the name",
        "The block has no source. Older documentation leaves it out where a file with the block's name in the same directory is meant, but the command line requires it.";
    IDLE_REPETITION = "load/repetition-without-effect", Info, "Argument has no effect",
        "After merging, several arguments say how often the object is repeated. Only one of them is silently used.";
    OPTIONAL_EXPERIMENT = "load/optional-is-experimental", Error,
        "Optional object type attributes are experimental",
        "In this version `optional()` is experimental. Enable its experiment in the module to use it.";
    PLAIN_INTERPOLATED = "load/interpolated-default", Error, "variable \"NAME\": default may not contain interpolations",
        "The default of a variable must be a literal value. Use a local value for an expression.";
    PROVIDER_REQUIRED_TWICE = "load/provider-required-twice", Warning, "Duplicate required provider",
        "A module requires one provider under several local names, so it is unclear which configuration applies. Use one name everywhere.";
    PROVIDER_UNDEFINED = "load/provider-undefined", Warning, "Reference to undefined provider",
        "A module call passes a provider configuration whose name the module does not declare. Add an entry for it to `required_providers`.";
    UNKNOWN_PLAIN_VARIABLE = "load/unknown-variable-referenced", Error, "PLACE: unknown variable referenced: 'NAME'; define it with a 'variable' block",
        "An interpolation refers to a variable that the module does not declare.";
    UNKNOWN_PLAIN_MODULE = "load/unknown-module-referenced", Error, "PLACE: unknown module referenced: NAME",
        "An interpolation refers to a module call that the module does not contain.";
    UNKNOWN_PLAIN_RESOURCE = "load/unknown-resource-referenced", Error, "PLACE: unknown resource 'ADDRESS' referenced in variable REFERENCE",
        "An interpolation refers to a resource or data source that the module does not declare.";
    RESOURCE_TYPE = "built-in/unknown-resource-type", Error, "Invalid resource type",
        "In the version followed here, the built-in provider has no such resource type.";
    DATA_SOURCE = "built-in/unknown-data-source", Error, "Invalid data source",
        "In the version followed here, the built-in provider has no such data source.";
    EPHEMERAL_RESOURCE = "built-in/unknown-ephemeral-resource", Error, "Invalid ephemeral resource",
        "In the version followed here, the built-in provider has no such ephemeral resource.";
    PATH_ATTRIBUTE = "built-in/unknown-path-attribute", Error, "Invalid \"path\" attribute",
        "The object `path` has no such attribute in the version followed here.";
    TOOL_ATTRIBUTE = "built-in/unknown-tool-attribute", Error, "Invalid \"terraform\" attribute",
        "The object `terraform` has no such attribute in the version followed here.";
    TOOL_WORD = "built-in/unknown-tool-word", Error, "Reference to undeclared resource",
        "In this dialect the word is not another name of `terraform`, so it is the type of a resource that the module does not declare.";
    BACKEND = "built-in/unknown-backend", Error, "Unsupported backend type",
        "The version followed here has no such backend.";
    KEY_PROVIDER = "built-in/unknown-key-provider", Error, "Unknown key_provider type",
        "The version followed here has no such key provider for encryption.";
    ENCRYPTION_METHOD = "built-in/unknown-encryption-method", Error, "Unknown encryption method type",
        "The version followed here has no such method of encryption.";
    TEST_PROVIDER = "load/test-provider-mismatch", Error, "Provider type mismatch",
        "A test file uses a local name for one provider where the module under test uses it for another one.";
    EXPECTED_FAILURE = "load/invalid-expected-failure", Error, "Invalid `expect_failures` reference",
        "A test can expect only variables, outputs, checks, resources and data sources to fail.";
    INSTANCE_KEY = "load/provider-instance-key", Error, "Invalid KIND provider configuration",
        "A provider configuration with `for_each` must be used with the key of an instance, and one without it must be used without a key.";
    SAME_INSTANCES = "load/provider-instances-match", Warning, "Provider configuration for_each matches KIND",
        "A resource or module call uses an instance of a provider configuration with the same `for_each`, so the instance disappears together with what it is needed to destroy.";
}
