//! Every code of this stage.

overfold_base::codes! {
    BAD_OPTION = "variable/bad-option", Error, "Invalid -var option",
        "The option has no `=` between name and value, or the name is empty or ends with a space.";
    UNREADABLE_FILE = "variable/unreadable-file", Error, "Failed to read variables file",
        "The variable definitions file is not among the given files, or is not a regular file.";
    DECLARATION_IN_VALUES = "variable/declaration-in-values", Error, "Variable declaration in .tfvars file",
        "A variable definitions file contains a variable block, but it can only assign values. Declare the variable in a configuration file.";
    UNDECLARED = "variable/undeclared", Error, "Value for undeclared variable",
        "A value is given for a variable that the root module does not declare. Declare the variable, or remove the value.";
    UNDECLARED_MANY = "variable/undeclared-many", Warning, "Values for undeclared variables",
        "Values are given for more undeclared variables than are reported one by one.";
    NOT_SET = "variable/not-set", Error, "No value for required variable",
        "The variable has no default and no value was provided.";
    MISFIT = "variable/misfit", Error, "Invalid value for input variable",
        "The value cannot be converted to the variable's type.";
    NULL = "variable/null", Error, "Required variable not set",
        "The value is null, but the variable is not nullable and has no default to use instead.";
    RULE_FAILED = "variable/rule-failed", Error, "Invalid value for variable",
        "The value does not satisfy a validation rule of the variable.";
    RULE_RESULT = "variable/rule-result", Error, "Invalid variable validation result",
        "The condition of a validation rule must be true or false.";
    RULE_MESSAGE = "variable/rule-message", Error, "Invalid error message",
        "The error message of a failed validation rule cannot be shown: it is not a string, or it refers to a sensitive or ephemeral value.";
    RULE_MESSAGE_TEXT = "variable/rule-message-text", Warning, "Validation error message expression is invalid",
        "The error message of a validation rule, in a JSON file, cannot be evaluated as a template. It is used as it is written.";
    RULE_UNDECIDED = "variable/rule-undecided", Info, "Validation rule not checked",
        "A validation rule depends on something that is known only during a plan or apply, so it could not be checked here.";
    TEXT_UNREADABLE = "variable/text-unreadable", Error, "Cannot parse value for variable NAME (TEXT) as valid HCL",
        "The string given by an option or environment variable is not a valid value.";
    FILE_UNDECODABLE = "variable/file-undecodable", Error, "Error decoding Terraform vars file",
        "A variable definitions file assigns several values to one name that cannot be combined.";
    MAP_TWICE = "variable/map-twice", Error, "multiple map declarations not supported for variables",
        "A file or option assigns more than one map to a variable. Write all keys in one map.";
    UNDECLARED_IGNORED = "variable/undeclared-ignored", Info, "Value for undeclared variable ignored",
        "A value is given for a variable that the root module does not declare. It is silently ignored.";
    MAP_HIDDEN = "variable/map-hidden", Info, "Map from automatic files not merged",
        "The command line sets the map, so the values from automatic definitions files are not merged into it and are lost.";
    TEXT_LOST = "variable/text-lost", Info, "Option value becomes an empty string",
        "The syntax of the option is valid, but its value cannot be represented and silently becomes an empty string.";
}
