//! Codes about how the modules of a tree call each other.

crate::codes! {
    UNREADABLE_DIRECTORY = "calls/unreadable-directory", Error ours, "Unreadable module directory",
        "A module call names a directory that does not exist. The tool finds that when it installs modules.";
    CYCLE = "calls/cycle", Error ours, "Module calls form a cycle",
        "The called module calls, directly or through others, the module in which the call stands. The tool never finishes installing such a tree.";
    SPECIAL_FILE = "calls/unreadable-file", Error ours, "Failed to read file",
        "A configuration file of the directory is a device, or a link that leads out of the files or nowhere. The directory is left out.";
    PROVIDER_MISSING = "calls/provider-missing", Error, "Missing required provider configuration",
        "The called module asks for a provider configuration by configuration_aliases, and the call does not pass one.";
    PROVIDER_NOT_OVERRIDABLE = "calls/provider-not-overridable", Error, "Cannot override provider configuration",
        "The call passes a provider configuration that the called module configures itself.";
    NOT_REPEATABLE = "calls/not-repeatable", Error, "Module is incompatible with count, for_each, and depends_on",
        "The called module, or one that it calls, has provider configurations of its own, so it can neither be repeated nor depend on anything.";
    PROVIDER_NOT_DECLARED = "calls/provider-not-declared", Warning, "Reference to undefined provider",
        "A call passes a provider configuration under a name that the called module does not declare. Add an entry to its required_providers.";
    PROVIDER_UNKNOWN = "calls/provider-unknown", Error, "Reference to undefined provider",
        "A call passes a provider configuration that the called module does not declare, and its name stands for no provider of the tool's own namespace.";
    PROVIDER_MISMATCH = "calls/provider-mismatch", Error, "Provider type mismatch",
        "A call passes a configuration of one provider where the called module asks for one of another.";
    PASSED_MISSING = "calls/passed-provider-missing", Error ours, "Passed provider configuration missing",
        "A call passes a provider configuration that its own module does not have. The tool fails without a place when it walks the tree.";
    MISFIT = "calls/misfit", Error, "Invalid value for input variable",
        "A value that a call gives cannot be converted to the type of the called module's variable.";
    NULL = "calls/null", Error, "Required variable not set",
        "A call gives null for a variable that is not nullable and has no default to fall back to.";
    EPHEMERAL_VALUE = "calls/ephemeral-value", Error, "Ephemeral value not allowed",
        "A call gives an ephemeral value for a variable that is not declared ephemeral.";
}
