//! Every code of this stage.

overfold_base::codes! {
    DYNAMIC_VALUE = "static/dynamic-value", Error, "Dynamic value in static context",
        "An argument that is evaluated while the module is loaded refers to something that is known only during a plan or apply: a resource, a data source, count, each or self. Use variables, local values and built-in functions.";
    MODULE_OUTPUT = "static/module-output", Error, "Module output not supported in static context",
        "An argument that is evaluated while the module is loaded refers to an output of a module call, which has no value yet.";
    PROVIDER_FUNCTION = "static/provider-function", Error, "Provider function in static context",
        "An argument that is evaluated while the module is loaded calls a function of a provider, but no provider is running yet.";
    PROVIDER_FUNCTION_NAME = "static/provider-function-name", Error, "Unable to parse provider function",
        "The name of a provider function must have the form provider::NAME::FUNCTION or \
         provider::NAME::ALIAS::FUNCTION.";
    UNDEFINED_VARIABLE = "static/undefined-variable", Error, "Undefined variable",
        "An argument that is evaluated while the module is loaded refers to a variable that the module does not \
         declare.";
    UNDEFINED_LOCAL = "static/undefined-local", Error, "Undefined local",
        "An argument that is evaluated while the module is loaded refers to a local value that the module does not \
         declare.";
    CIRCULAR_REFERENCE = "static/circular-reference", Error, "Circular reference",
        "A local value depends on itself, so it cannot be evaluated.";
    VARIABLE_NOT_CONST = "static/variable-not-const", Error, "Unable to use variable in static context",
        "The value of the variable is not known while the module is loaded. Declare the variable with `const = true` to use it here.";
    UNAVAILABLE = "static/unavailable", Error, "Unable to compute static value",
        "A value that this depends on could not be evaluated. The reason is reported in a separate diagnostic.";
    SENSITIVE_VALUE = "static/sensitive-value", Error, "Sensitive value not allowed",
        "A sensitive value would become visible as part of the configuration.";
    SENSITIVE_USED = "static/sensitive-used", Warning, "Sensitive value used in static context",
        "A sensitive variable is used where its value becomes visible. Later releases report an error.";
    UNKNOWN_SOURCE = "static/unknown-source", Error, "Unknown module source",
        "The source or the version of a module depends on something that is known only during a plan or apply. Use constants, and variables that are declared with `const = true`.";
    EPHEMERAL_VALUE = "static/ephemeral-value", Error, "Ephemeral value not allowed",
        "An ephemeral value would be stored as part of the configuration.";
    APPLYING = "static/applying", Error, "Invalid attribute in static context",
        "Whether changes are being applied is known only during a plan or apply, not while the module is loaded.";
    NOT_SET = "static/not-set", Error, "Failed to request input from user for variable NAME",
        "The variable is required while the module is loaded, but it has no default and no value was provided.";
    CONST_UNKNOWN = "static/const-unknown", Error, "Const variables must be known",
        "A call passes a value for a variable that is declared with `const = true`, but the value is known only during a plan or apply. Pass a constant, or a value computed from constant variables.";
    CONST_EPHEMERAL = "static/const-ephemeral", Error, "Ephemeral value not allowed",
        "A call passes an ephemeral value for a variable that is declared with `const = true`, but the value would be stored as part of the configuration.";
    MISFIT = "static/misfit", Error, "Invalid value for input variable",
        "The value of a variable that is required while the module is loaded cannot be converted to its type.";
    DEFAULT_MISFIT = "static/default-misfit", Error, "Invalid default value for module argument",
        "The default of a variable that is required while the module is loaded cannot be converted to its type.";
    NULL = "static/null", Error, "Required variable not set",
        "A variable that is required while the module is loaded is null, but it is not nullable and has no default to use instead.";
    INSTANCES = "static/invalid-for-each", Error, "Invalid for_each argument",
        "The `for_each` of a provider configuration must be a map or a set of strings that is known, not null and not sensitive.";
    INSTANCE_KEY = "static/instance-key", Error, "Invalid for_each argument",
        "A set in the `for_each` of a provider configuration must contain only strings that are not null.";
    UNDECIDED = "static/undecided", Info, "Not evaluated",
        "The argument depends on the machine on which the configuration is used, such as its clock, its working directory or a file that was not given, so it is not evaluated here.";
    KEY_PROVIDER_REFERENCE = "static/key-provider-reference", Error, "Invalid key_provider reference",
        "An argument of encryption may refer only to key providers: key_provider.TYPE.NAME.";
    UNENCRYPTED = "static/unencrypted-method", Warning, "Unencrypted method configured",
        "The encryption has the method `unencrypted`, which encrypts nothing. It is meant for the time of a migration.";
    OVER_LIMIT = "static/over-limit", Info, "Result omitted",
        "The results of static evaluation are too long in total to be included in the answer.";
    REPEATS_CUT = "static/repeats-cut", Info, "Repeated diagnostics omitted",
        "A problem is reported again for every value that depends on it. Above a limit, these repetitions are omitted.";
}
