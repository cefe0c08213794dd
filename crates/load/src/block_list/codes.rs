//! Codes of modules that are lists of blocks.

overfold_base::codes! {
    NOT_READ = "load/suffix-not-read", Info, "File not read",
        "The file contains configuration, but files with its suffix are not read.";
    STRAY_ARGUMENT = "load/stray-argument", Info, "Argument outside of any block",
        "At the top level of a file only blocks are read; arguments are silently ignored.";
    SAME_VARIABLE = "load/variable-declared-again", Info, "Variable declared more than once",
        "Several blocks declare the same variable. This is not an error; the value comes from the last block.";
    COUNT = "load/invalid-count", Error, "Invalid count argument",
        "The value of `count` must be a whole number, zero or more, and not null.";
    COUNT_TYPE = "load/count-not-a-number", Error, "Incorrect value type",
        "The value of `count` must be a number.";
    FOR_EACH_TYPE = "load/for-each-not-iterable", Error, "The `for_each` value is not iterable",
        "The value of `for_each` must be a collection that is not sensitive.";
    FOR_EACH_NULL = "load/for-each-null", Error, "Invalid for_each argument",
        "The value of `for_each` must be a collection and not null.";
    DYNAMIC_FOR_EACH = "load/dynamic-not-iterable", Error, "Invalid dynamic for_each value",
        "The `for_each` of a dynamic block must be a collection and not null.";
    DYNAMIC_ITERATOR = "load/dynamic-iterator", Error, "Invalid dynamic iterator name",
        "The iterator of a dynamic block must be a single name.";
    DYNAMIC_LABEL = "load/dynamic-label", Error, "Invalid dynamic block label",
        "The label of a generated block must be a string that is neither null nor sensitive.";
    DYNAMIC_LABELS_EXTRA = "load/dynamic-labels-extra", Error, "Extraneous dynamic block label",
        "A dynamic block sets more labels than blocks of its type have.";
    DYNAMIC_LABELS_FEW = "load/dynamic-labels-few", Error, "Insufficient dynamic block labels",
        "A dynamic block sets fewer labels than blocks of its type have.";
    DYNAMIC_NO_CONTENT = "load/dynamic-without-content", Error, "Missing dynamic content block",
        "A dynamic block must contain a `content` block with the body of the generated blocks.";
    DYNAMIC_CONTENTS = "load/dynamic-with-several-contents", Error, "Extraneous dynamic content block",
        "A dynamic block can contain only one `content` block.";
    CIRCULAR = "load/circular-locals", Error, "circular reference found",
        "Local values depend on each other in a cycle, so none of them can be evaluated.";
    EXPANDED_TO_NOTHING = "load/expanded-to-nothing", Info, "Block left out",
        "The block is repeated zero times, or the number of repetitions is not known, so it is not in the result.";
    EXPANSION_LIMIT = "load/expansion-over-limit", Error ours, "Expansion limit exceeded",
        "The copies of a block would exceed the size limit of an answer. The block is left out.";
}
