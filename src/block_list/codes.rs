//! Codes of modules that are lists of blocks.

crate::codes! {
    NOT_READ = "load/file-not-read", Info, "File not read",
        "The file holds configuration, but the tool does not read files of its suffix.";
    STRAY_ARGUMENT = "load/stray-argument", Info, "Argument outside of any block",
        "An argument stands at the top of a file, where the tool looks for blocks alone and passes it over silently.";
    SAME_VARIABLE = "load/variable-declared-again", Info, "Variable declared again",
        "Several blocks declare one variable. The tool says nothing; its value is that of the last block.";
    COUNT = "load/invalid-count", Error, "Invalid count argument",
        "The number of copies is a whole number, zero or more, and never null.";
    COUNT_TYPE = "load/count-no-number", Error, "Incorrect value type",
        "The number of copies is a number.";
    FOR_EACH_TYPE = "load/for-each-not-iterable", Error, "The `for_each` value is not iterable",
        "Copies are made for the elements of a collection that is not sensitive.";
    FOR_EACH_NULL = "load/for-each-null", Error, "Invalid for_each argument",
        "The value must be a collection; null is not allowed.";
    DYNAMIC_FOR_EACH = "load/dynamic-not-iterable", Error, "Invalid dynamic for_each value",
        "A dynamic block needs a collection; null and single values are not allowed.";
    DYNAMIC_ITERATOR = "load/dynamic-iterator", Error, "Invalid dynamic iterator name",
        "The iterator of a dynamic block is a single name.";
    DYNAMIC_LABEL = "load/dynamic-label", Error, "Invalid dynamic block label",
        "A label of a generated block is a text, neither null nor sensitive.";
    DYNAMIC_LABELS_EXTRA = "load/dynamic-labels-extra", Error, "Extraneous dynamic block label",
        "A dynamic block gives more labels than blocks of its type have.";
    DYNAMIC_LABELS_FEW = "load/dynamic-labels-few", Error, "Insufficient dynamic block labels",
        "A dynamic block gives fewer labels than blocks of its type have.";
    DYNAMIC_NO_CONTENT = "load/dynamic-without-content", Error, "Missing dynamic content block",
        "A dynamic block holds one block `content`: the body of every block that it makes.";
    DYNAMIC_CONTENTS = "load/dynamic-with-several-contents", Error, "Extraneous dynamic content block",
        "A dynamic block can contain only one `content` block.";
    UNDECLARED_VARIABLE = "load/undeclared-variable", Error, "Reference to undeclared input variable",
        "Something that has to be evaluated refers to a variable that no file declares.";
    UNDECLARED_LOCAL = "load/undeclared-local", Error, "Reference to undeclared local value",
        "Something that has to be evaluated refers to a local value that no file declares.";
    CIRCULAR = "load/circular-locals", Error, "circular reference found",
        "Local values are made of each other.";
    PATH_ATTRIBUTE = "load/unknown-path", Error, "Invalid \"path\" attribute",
        "`path` has cwd, module and root.";
    TERRAFORM_ATTRIBUTE = "load/unknown-terraform-attribute", Error, "Invalid \"terraform\" attribute",
        "`terraform` has workspace and applying.";
    EXPANDED_TO_NOTHING = "load/expanded-to-nothing", Info, "Block left out",
        "Expansion makes no block of it: it is repeated zero times, or nobody knows how often, so nothing of it is in the result.";
    EXPANSION_LIMIT = "load/expansion-over-limit", Error ours, "Too much to expand",
        "The copies of a block would take more room than one answer may. The block is left out.";
}
