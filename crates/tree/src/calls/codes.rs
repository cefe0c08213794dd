//! Codes about how the modules of a tree call each other.

overfold_base::codes! {
    UNREADABLE_DIRECTORY = "calls/unreadable-directory", Error ours, "Unreadable module directory",
        "A module call refers to a directory that does not exist. This is an error when modules are installed.";
    CYCLE = "calls/cycle", Error ours, "Module calls form a cycle",
        "The called module calls, directly or through other modules, the module that contains the call. Installing them would never end.";
    SPECIAL_FILE = "calls/unreadable-file", Error ours, "Failed to read file",
        "A configuration file of the directory is a device, or a link whose target is missing or outside of the files. The directory is left out.";
    PROVIDER_MISSING = "calls/provider-missing", Error, "Missing required provider configuration",
        "The called module declares a provider configuration in `configuration_aliases`, but the call does not pass one.";
    PROVIDER_NOT_INHERITED = "calls/provider-not-inherited", Warning, "Missing required provider configuration",
        "The called module passes a provider configuration on to a module that it calls, but it has none of that name itself, and this call does not pass one.";
    PROVIDER_EMPTY = "calls/provider-empty", Warning, "Redundant empty provider block",
        "A called module has an empty provider block, an older way to request a configuration from its caller. Declare the provider in `required_providers` instead, with `configuration_aliases` if it has an alias.";
    PROVIDER_NOT_OVERRIDABLE = "calls/provider-not-overridable", Error, "Cannot override provider configuration",
        "The call passes a provider configuration that the called module defines itself.";
    NOT_REPEATABLE = "calls/not-repeatable", Error, "Module is incompatible with count, for_each, and depends_on",
        "The called module, or one that it calls, configures providers itself, so the call cannot use `count`, `for_each` or `depends_on`.";
    PROVIDER_NOT_DECLARED = "calls/provider-not-declared", Warning, "Reference to undefined provider",
        "A call passes a provider configuration under a name that the called module does not declare. Add an entry to its `required_providers`.";
    PROVIDER_UNKNOWN = "calls/provider-unknown", Error, "Reference to undefined provider",
        "A call passes a provider configuration that the called module does not declare, and its name does not imply a provider in the default namespace.";
    PROVIDER_MISMATCH = "calls/provider-mismatch", Error, "Provider type mismatch",
        "A call passes a configuration of one provider where the called module needs one of another provider.";
    PASSED_MISSING = "calls/passed-provider-missing", Error ours, "Passed provider configuration missing",
        "A call passes a provider configuration that its own module does not have. This fails without naming a place.";
    MISFIT = "calls/misfit", Error, "Invalid value for input variable",
        "The value of an argument cannot be converted to the type of the called module's variable.";
    NULL = "calls/null", Error, "Required variable not set",
        "A call sets a variable to null that is not nullable and has no default to use instead.";
    EPHEMERAL_VALUE = "calls/ephemeral-value", Error, "Ephemeral value not allowed",
        "A call passes an ephemeral value to a variable that is not declared ephemeral.";
    SOURCE_CHANGED = "calls/module-source-changed", Error, "Module source has changed",
        "The list of installed modules says that the module of a call comes from another source.";
    VERSION_CHANGED = "calls/module-version-changed", Error, "Module version requirements have changed",
        "The installed version of a module is not one that its call allows.";
}
