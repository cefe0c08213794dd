//! Every code of this stage.

crate::codes! {
    BAD_OPTION = "variable/bad-option", Error, "Invalid -var option",
        "A variable option has no `=` between name and value, or its name ends in a space.";
    UNREADABLE_FILE = "variable/unreadable-file", Error, "Failed to read variables file",
        "A variable definitions file is not among the request's files, or is no regular file.";
    DECLARATION_IN_VALUES = "variable/declaration-in-values", Error, "Variable declaration in .tfvars file",
        "A definitions file holds a variable block. Declarations belong into configuration files; a definitions file only assigns values.";
    UNDECLARED = "variable/undeclared", Error, "Value for undeclared variable",
        "A value is given for a variable that the root module does not declare. Declare it or drop the value.";
    UNDECLARED_MANY = "variable/undeclared-many", Warning, "Values for undeclared variables",
        "Definitions files assign more undeclared variables than are told one by one.";
    NOT_SET = "variable/not-set", Error, "No value for required variable",
        "The variable has no default and no source gives it a usable value.";
    MISFIT = "variable/misfit", Error, "Invalid value for input variable",
        "The value cannot be converted to the variable's type.";
    NULL = "variable/null", Error, "Required variable not set",
        "The value is null, the variable is not nullable and it has no default to fall back to.";
    RULE_FAILED = "variable/rule-failed", Error, "Invalid value for variable",
        "The value breaks a validation rule of the variable.";
    RULE_RESULT = "variable/rule-result", Error, "Invalid variable validation result",
        "A validation condition must give true or false.";
    RULE_MESSAGE = "variable/rule-message", Error, "Invalid error message",
        "The error message of a failing validation rule cannot be shown: it is not a text, is null, or is ephemeral.";
    RULE_UNDECIDED = "variable/rule-undecided", Info, "Validation not decided",
        "A validation rule depends on something that is known only when the tool runs, so it could not be checked here.";
    UNKNOWN_VARIABLE = "variable/unknown-variable", Error, "Reference to undeclared input variable",
        "An expression refers to a variable that the module does not declare.";
    UNKNOWN_LOCAL = "variable/unknown-local", Error, "Reference to undeclared local value",
        "An expression refers to a local value that the module does not declare.";
    BAD_REFERENCE = "variable/bad-reference", Error, "Invalid reference",
        "A reference needs a name after its kind, as in `var.region`.";
}
