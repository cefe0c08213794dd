//! Codes of the checks of a merged module.

crate::codes! {
    NAME_TAKEN = "load/name-taken", Error, "NAME cannot be replaced",
        "The name belongs to something built into the tool, which cannot be replaced.";
    NOT_BOTH = "load/two-forms", Error, "Conflicting forms",
        "The configuration gives this in two forms that exclude each other. Keep one of them.";
    TWO_FORMS = "load/argument-and-blocks", Info, "Argument and blocks of one name",
        "An argument and nested blocks of one name come together. Which of them the tool uses depends on the provider's schema; `config` can hold one of them.";
    NO_JSON_FORM = "load/no-json-form", Info, "Value has no JSON form",
        "The tool's JSON syntax cannot express this value, so loading `config` again gives another one.";
    IMPLIED_FILE = "load/implied-file", Warning ours, "Source is implied by the name",
        "The block has no source. Older documents leave it out where a file of the block's own name in the same directory is meant; the command line requires it.";
    IDLE_REPETITION = "load/repetition-without-effect", Info, "Argument has no effect",
        "Overriding has combined several ways of repeating the object. The tool does not compare them and uses only one.";
    OPTIONAL_EXPERIMENT = "load/optional-is-experimental", Error,
        "Optional object type attributes are experimental",
        "This version accepts optional() only in modules that enable its experiment.";
    PLAIN_INTERPOLATED = "load/interpolated-default", Error, "variable \"NAME\": default may not contain interpolations",
        "The default of a variable must be a literal value. Use a local value to name an expression.";
    PROVIDER_REQUIRED_TWICE = "load/provider-required-twice", Warning, "Duplicate required provider",
        "One provider has several local names in a module, so it is unclear which configuration it gets. Use one local name for it everywhere.";
    PROVIDER_UNDEFINED = "load/provider-undefined", Warning, "Reference to undefined provider",
        "A module call passes on a provider configuration whose name nothing in the module declares. Add an entry to required_providers.";
    UNKNOWN_PLAIN_VARIABLE = "load/unknown-variable-referenced", Error, "PLACE: unknown variable referenced: 'NAME'; define it with a 'variable' block",
        "An interpolation refers to a variable that the module does not declare.";
    UNKNOWN_PLAIN_MODULE = "load/unknown-module-referenced", Error, "PLACE: unknown module referenced: NAME",
        "An interpolation refers to a module that the module does not call.";
    UNKNOWN_PLAIN_RESOURCE = "load/unknown-resource-referenced", Error, "PLACE: unknown resource 'ADDRESS' referenced in variable REFERENCE",
        "An interpolation refers to a resource or data source that the module does not declare.";
}
