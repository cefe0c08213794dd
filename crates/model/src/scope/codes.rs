//! Codes of references to names: one code and one wording for each fault, whichever stage finds it.

overfold_base::codes! {
    UNDECLARED_VARIABLE = "reference/undeclared-variable", Error, "Reference to undeclared input variable",
        "An expression refers to a variable that the module does not declare.";
    UNDECLARED_LOCAL = "reference/undeclared-local", Error, "Reference to undeclared local value",
        "An expression refers to a local value that the module does not declare.";
    UNDECLARED_RESOURCE = "reference/undeclared-resource", Error, "Reference to undeclared resource",
        "An expression refers to a resource or data source that the module does not declare.";
    UNDECLARED_MODULE = "reference/undeclared-module", Error, "Reference to undeclared module",
        "An expression refers to a module call that the module does not contain.";
    NO_SELF = "reference/no-self", Error, "Invalid \"self\" reference",
        "`self` exists only in provisioners, connections and postconditions.";
    NO_CALLER = "reference/no-caller", Error, "Invalid \"caller\" reference",
        "`caller` exists only in the configuration of an action.";
    NO_COUNT = "reference/no-count", Error, "Reference to \"count\" in non-counted context",
        "`count.index` exists only in blocks with a `count`.";
    COUNT_ATTRIBUTE = "reference/count-attribute", Error, "Invalid \"count\" attribute",
        "`count` has only `index`.";
    NO_EACH = "reference/no-each", Error, "Reference to \"each\" in context without for_each",
        "`each.key` exists only in blocks with a `for_each`.";
    NO_EACH_VALUE = "reference/no-each-value", Error, "each.value cannot be used in this context",
        "`each.value` exists only in blocks with a `for_each`.";
    EACH_ATTRIBUTE = "reference/each-attribute", Error, "Invalid \"each\" attribute",
        "`each` has only `key` and `value`.";
    PATH_ATTRIBUTE = "reference/path-attribute", Error, "Invalid \"path\" attribute",
        "The only attributes of `path` are `cwd`, `module` and `root`.";
    TERRAFORM_ATTRIBUTE = "reference/terraform-attribute", Error, "Invalid \"terraform\" attribute",
        "The object `terraform` does not have this attribute, or not while a module is loaded.";
}
