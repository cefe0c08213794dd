//! Every code of this stage.

crate::codes! {
    DYNAMIC_VALUE = "static/dynamic-value", Error, "Dynamic value in static context",
        "An argument that is worked out when the module is loaded refers to something that is known only when the tool runs: a resource, a data source, count, each, self.";
    MODULE_OUTPUT = "static/module-output", Error, "Module output not supported in static context",
        "An argument that is worked out when the module is loaded refers to the output of a module call, which is not loaded yet.";
    PROVIDER_FUNCTION = "static/provider-function", Error, "Provider function in static context",
        "An argument that is worked out when the module is loaded calls a function of a provider, and no provider runs yet.";
    PROVIDER_FUNCTION_NAME = "static/provider-function-name", Error, "Unable to parse provider function",
        "The name of a provider's function has the form provider::NAME::FUNCTION or provider::NAME::ALIAS::FUNCTION.";
    UNDEFINED_VARIABLE = "static/undefined-variable", Error, "Undefined variable",
        "An argument that is worked out when the module is loaded refers to a variable that the module does not declare.";
    UNDEFINED_LOCAL = "static/undefined-local", Error, "Undefined local",
        "An argument that is worked out when the module is loaded refers to a local value that the module does not declare.";
    CIRCULAR_REFERENCE = "static/circular-reference", Error, "Circular reference",
        "A local value depends on itself, so it has no value.";
    VARIABLE_NOT_CONST = "static/variable-not-const", Error, "Unable to use variable in static context",
        "The variable says of itself that it is not known when the module is loaded (const = false).";
    UNAVAILABLE = "static/unavailable", Error, "Unable to compute static value",
        "Something that this depends on could not be worked out; what it is and why is told beside this.";
    SENSITIVE_VALUE = "static/sensitive-value", Error, "Sensitive value not allowed",
        "The value would become visible as part of the configuration, and it is sensitive.";
    SENSITIVE_USED = "static/sensitive-used", Warning, "Sensitive value used in static context",
        "A sensitive variable is used where its value becomes visible. Later releases refuse it.";
    EPHEMERAL_VALUE = "static/ephemeral-value", Error, "Ephemeral value not allowed",
        "The value would be kept as part of the configuration, and it is ephemeral.";
    APPLYING = "static/applying", Error, "Invalid attribute in static context",
        "Whether the tool is applying is not known when a module is loaded.";
    TERRAFORM_ATTRIBUTE = "static/terraform-attribute", Error, "Invalid \"terraform\" attribute",
        "Of the object `terraform` only `workspace` is known when a module is loaded.";
    PATH_ATTRIBUTE = "static/path-attribute", Error, "Invalid \"path\" attribute",
        "`path` has only `cwd`, `module` and `root`.";
    NOT_SET = "static/not-set", Error, "Failed to request input from user for variable NAME",
        "The variable is needed when the module is loaded; it has no default, and nothing gives it a value.";
    MISFIT = "static/misfit", Error, "Invalid value for input variable",
        "The value of a variable that is needed when the module is loaded cannot be converted to its type.";
    DEFAULT_MISFIT = "static/default-misfit", Error, "Invalid default value for module argument",
        "The default of a variable that is needed when the module is loaded cannot be converted to its type.";
    NULL = "static/null", Error, "Required variable not set",
        "A variable that is needed when the module is loaded is null, is not nullable and has no default to fall back to.";
    INSTANCES = "static/invalid-for-each", Error, "Invalid for_each argument",
        "The instances of a provider configuration come from a map or a set of texts that is known, not null and not sensitive.";
    INSTANCE_KEY = "static/instance-key", Error, "Invalid for_each argument",
        "A set that gives the instances of a provider configuration holds texts only, and no null.";
    UNDECIDED = "static/undecided", Info, "Not worked out",
        "The argument depends on something that only the tool's own machine knows, such as its clock, its working directory or a file that is not in the request, so it is not worked out here.";
    OVER_LIMIT = "static/over-limit", Info, "Result left out",
        "The texts that static evaluation gives are longer, taken together, than an answer may show.";
    REPEATS_CUT = "static/repeats-cut", Info, "Repeated diagnostics left out",
        "A fault is told again for every use of what it spoils. Past a number these repetitions are left out.";
}
