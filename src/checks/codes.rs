//! Codes of the checks of a merged module.

crate::codes! {
    NAME_TAKEN = "load/name-taken", Error, "NAME cannot be replaced",
        "The name belongs to something built into the tool, which cannot be replaced. Choose another name.";
    NOT_BOTH = "load/two-forms", Error, "Conflicting forms",
        "The configuration sets this in two forms that exclude each other. Keep only one of them.";
    TWO_FORMS = "load/argument-and-blocks", Info, "Argument and blocks with the same name",
        "An argument and nested blocks have the same name. The provider's schema decides which of them the tool uses; `config` can show only one of them.";
    NO_JSON_FORM = "load/no-json-form", Info, "Value has no JSON form",
        "The tool's JSON syntax cannot express this value, so loading `config` again produces a different one.";
    IMPLIED_FILE = "load/implied-file", Warning ours, "Source is implied by the name",
        "The block has no source. Older documentation leaves it out where a file with the block's name in the same directory is meant, but the command line requires it.";
    IDLE_REPETITION = "load/repetition-without-effect", Info, "Argument has no effect",
        "After merging, several arguments say how often the object is repeated. The tool silently uses only one of them.";
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
}
