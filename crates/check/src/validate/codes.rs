//! Codes of the checks of names and expressions in a whole tree of modules.

overfold_base::codes! {
    CYCLE = "validate/cycle", Error, "Cycle: NAMES",
        "Dependencies between objects form a cycle, so none of the objects can be evaluated first.";
    SELF_REFERENCE = "validate/self-reference", Error, "Self-referencing local value",
        "A local value refers to itself.";
    UNEXPECTED_KEY = "validate/unexpected-instance-key", Error, "Unexpected resource instance key",
        "A reference selects an instance of a resource that has neither `count` nor `for_each`.";
    MISSING_KEY = "validate/missing-instance-key", Error, "Missing resource instance key",
        "A reference to an attribute of a resource with `count` or `for_each` does not say of which instance.";
    SCOPED_RESOURCE = "validate/scoped-resource", Error, "Reference to scoped resource",
        "A data source inside of a check can be used only by the assertions of that check.";
    RESOURCE_COUNT = "validate/resource-count-attribute", Error, "Invalid resource count attribute",
        "Resources have no attribute `count`; `length` gives the number of instances.";
    NO_SUCH_TYPE = "validate/no-such-resource-type", Error, "Invalid resource type",
        "The provider has no resource type of this name.";
    NO_SUCH_DATA_SOURCE = "validate/no-such-data-source", Error, "Invalid data source",
        "The provider has no data source of this name.";
    NO_SUCH_EPHEMERAL = "validate/no-such-ephemeral-resource", Error, "Invalid ephemeral resource",
        "The provider has no ephemeral resource type of this name.";
    NO_SUCH_PROVISIONER = "validate/no-such-provisioner", Error, "Missing required provisioner plugin",
        "There is no built-in provisioner of this type. This is reported without a place.";
    NO_SUCH_BACKEND = "validate/no-such-backend", Error, "Unsupported backend type",
        "There is no backend of this type.";
    PROVIDER_NOT_PRESENT = "validate/provider-configuration-missing", Error, "Provider configuration not present",
        "A resource uses a provider configuration that nothing declares. This is reported without a place.";
    INCORRECT_TYPE = "validate/incorrect-type", Error, "Incorrect value type",
        "The value cannot be converted to the type that is needed here.";
    COUNT = "validate/invalid-count", Error, "Invalid count argument",
        "The value of `count` must be a whole number of zero or more that is not ephemeral.";
    FOR_EACH = "validate/invalid-for-each", Error, "Invalid for_each argument",
        "The value of `for_each` must be a map, an object or a set of strings, and neither sensitive nor ephemeral.";
    FOR_EACH_SET = "validate/invalid-for-each-set", Error, "Invalid for_each set argument",
        "The elements of a set in `for_each` must be strings other than null.";
    DEPENDS_ON = "validate/invalid-depends-on", Error, "Invalid depends_on reference",
        "An entry of `depends_on` must be the address of a whole object.";
    MOCK_FOLDER = "validate/mock-data-folder", Error, "Failed to read mock data directory",
        "The argument `source` of a mock provider names a directory that does not exist. It is relative to the working directory.";
    REDUNDANT_IGNORE = "validate/redundant-ignore-changes", Warning, "Redundant ignore_changes element",
        "An attribute in `ignore_changes` is decided by the provider alone.";
    OUTPUT_PRECONDITION = "validate/output-precondition-failed", Error, "Module output value precondition failed",
        "The condition of a precondition is false whatever the variables are.";
    CONDITION = "validate/condition-result", Error, "Invalid condition result",
        "The result of a condition must be true or false.";
    MESSAGE = "validate/error-message", Error, "Invalid error message",
        "The error message of a condition must be a string.";
    SENSITIVE_MESSAGE = "validate/sensitive-message", Warning, "Error message refers to sensitive values",
        "The error message of a condition refers to something sensitive, so it is not shown.";
    EPHEMERAL_MESSAGE = "validate/ephemeral-message", Warning, "Error message refers to ephemeral values",
        "The error message of a condition refers to something ephemeral, so it is not shown.";
    SENSITIVE_OUTPUT = "validate/sensitive-output", Error, "Output refers to sensitive values",
        "The value of an output of the root module contains something sensitive, but the output does not say `sensitive = true`.";
    EPHEMERAL_OUTPUT = "validate/ephemeral-root-output", Error, "Ephemeral output not allowed",
        "An output of the root module cannot be ephemeral.";
    EPHEMERAL_IN_OUTPUT = "validate/ephemeral-value-in-output", Error, "Ephemeral value not allowed",
        "The value of an output is ephemeral, but the output does not say `ephemeral = true`.";
    OUTPUT_MISFIT = "validate/output-misfit", Error, "Invalid output value",
        "The value of an output cannot be converted to the type that the output declares.";
    ROOT_OUTPUT_DEPRECATED = "validate/deprecated-root-output", Error, "Root module output deprecated",
        "An output of the root module is declared as deprecated, but nothing uses it.";
    DEPRECATED_VALUE = "validate/deprecated-value", Warning, "Deprecated value used",
        "An expression uses something deprecated: an output of a called module, or an attribute or block of a resource.";
    DEPRECATED_VARIABLE = "validate/deprecated-variable", Warning, "Deprecated variable got a value",
        "A variable that is declared as deprecated gets a value.";
    NOT_EPHEMERAL = "validate/plain-value-in-ephemeral-output", Error, "Value not allowed in ephemeral output",
        "The value of an ephemeral output is not ephemeral.";
    IMPORT_TARGET = "validate/import-target-missing", Error, "Configuration for import target does not exist",
        "The target of an `import` block is not declared.";
    IMPORT_KEY = "validate/import-key", Error, "Invalid import 'to' expression",
        "The instance key of the target of an `import` block does not fit the `count` or `for_each` of the resource.";
    IMPORT_ID = "validate/import-id", Error, "Invalid import id argument",
        "The identifier in an `import` block must be a string that is neither null nor empty, and must not depend on the imported object.";
    IMPORT_INDEX = "validate/import-index", Error, "Invalid index expression",
        "The instance key in the target of an `import` block is sensitive, but addresses are shown.";
    PASSED_PROVIDER_MISSING = "validate/passed-provider-missing", Error, "missing provider NAME",
        "A module call passes a provider configuration that nothing declares. This is reported without a place.";
    BACKEND_IGNORED = "validate/backend-ignored", Warning, "Backend configuration ignored",
        "A called module configures a backend, which has an effect only in a root module.";
    CLOUD_IGNORED = "validate/cloud-ignored", Warning, "Cloud configuration ignored",
        "A called module contains a `cloud` block, which has an effect only in a root module.";
    WINRM = "validate/winrm", Warning, "WinRM connection type is deprecated",
        "A connection has the type `winrm`, which a later release will not have.";
    TRIGGER_UNDECLARED = "validate/trigger-undeclared", Error, "Undeclared resource in replace_triggered_by",
        "An item of `replace_triggered_by` names a resource that the module does not declare.";
    IMPORT_BELOW_ROOT = "validate/import-below-root", Error, "Invalid import configuration",
        "A called module contains an `import` block, which only a root module can.";
    NO_SUCH_ACTION = "validate/no-such-action", Error, "failed to read schema for ACTION",
        "The provider of an action has no action of its type. This is reported without a place.";
    IMPORT_PROVIDER = "validate/import-provider", Error, "failed to read schema for RESOURCE",
        "An import has no configuration and names no provider, and no module requires the one that its type suggests. This is reported without a place.";
    TOO_MANY_CALLS = "validate/too-many-calls", Warning ours, "Too many module calls",
        "The tree of modules contains more calls than are followed. Modules beyond the limit are checked, but not for every call.";
}
