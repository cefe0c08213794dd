//! Codes of the checks of names and expressions in a whole tree of modules.

overfold_base::codes! {
    CYCLE = "validate/cycle", Error, "Cycle: NAMES",
        "Objects depend on each other in a circle, so none of them can be evaluated first.";
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
        "The tool has no provisioner of this type. It reports this without a place.";
    PROVIDER_NOT_PRESENT = "validate/provider-configuration-missing", Error, "Provider configuration not present",
        "A resource uses a provider configuration that nothing declares. The tool reports this without a place.";
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
    REDUNDANT_IGNORE = "validate/redundant-ignore-changes", Warning, "Redundant ignore_changes element",
        "An attribute in `ignore_changes` is decided by the provider alone.";
    OUTPUT_PRECONDITION = "validate/output-precondition-failed", Error, "Module output value precondition failed",
        "The condition of a precondition is false whatever the variables are.";
    CONDITION = "validate/condition-result", Error, "Invalid condition result",
        "The result of a condition must be true or false.";
    MESSAGE = "validate/error-message", Error, "Invalid error message",
        "The error message of a condition must be a string.";
    SENSITIVE_MESSAGE = "validate/sensitive-message", Warning, "Error message refers to sensitive values",
        "The error message of a condition refers to something sensitive, so the tool does not show it.";
    EPHEMERAL_MESSAGE = "validate/ephemeral-message", Warning, "Error message refers to ephemeral values",
        "The error message of a condition refers to something ephemeral, so the tool does not show it.";
    SENSITIVE_OUTPUT = "validate/sensitive-output", Error, "Output refers to sensitive values",
        "The value of an output of the root module contains something sensitive, but the output does not say `sensitive = true`.";
    EPHEMERAL_OUTPUT = "validate/ephemeral-root-output", Error, "Ephemeral output not allowed",
        "An output of the root module cannot be ephemeral.";
    NOT_EPHEMERAL = "validate/plain-value-in-ephemeral-output", Error, "Value not allowed in ephemeral output",
        "The value of an ephemeral output is not ephemeral.";
    IMPORT_TARGET = "validate/import-target-missing", Error, "Configuration for import target does not exist",
        "The target of an `import` block is not declared.";
    IMPORT_KEY = "validate/import-key", Error, "Invalid import 'to' expression",
        "The instance key of the target of an `import` block does not fit the `count` or `for_each` of the resource.";
    IMPORT_ID = "validate/import-id", Error, "Invalid import id argument",
        "The identifier in an `import` block must be a string that is neither null nor empty, and must not depend on the imported object.";
    PASSED_PROVIDER_MISSING = "validate/passed-provider-missing", Error, "missing provider NAME",
        "A module call passes a provider configuration that nothing declares. The tool reports this without a place.";
    BACKEND_IGNORED = "validate/backend-ignored", Warning, "Backend configuration ignored",
        "A called module configures a backend, which has an effect only in a root module.";
    IMPORT_BELOW_ROOT = "validate/import-below-root", Error, "Invalid import configuration",
        "A called module contains an `import` block, which only a root module can.";
    TOO_MANY_CALLS = "validate/too-many-calls", Warning ours, "Too many module calls",
        "The tree of modules contains more calls than are followed. Modules beyond the limit are checked, but not for every call.";
}
