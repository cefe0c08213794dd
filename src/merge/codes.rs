//! Every code of this stage.

crate::codes! {
    MISSING_BASE = "override/missing-base", Error, "Missing KIND to override",
        "An override block changes something that no primary file declares. Declare it in a primary file, correct \
         the labels of the block, or rename the file if it is not meant to be an override file.";
    ARGUMENT_REFUSED = "override/argument-refused", Error, "Unsupported override",
        "The tool does not allow an override file to change this argument. The rest of the block is merged, and the \
         argument of the base is kept.";
    ARGUMENT_IGNORED = "override/argument-ignored", Info, "Override has no effect",
        "The tool reads this argument in an override file but silently ignores it. The value of the base is kept.";
    ARGUMENT_LOST = "override/argument-lost", Warning ours, "Override removes an argument",
        "The override block does not set this argument, but the tool still removes it from the base. This looks \
         unintended in the tool; repeat the argument in the override.";
    NAMED_LIKE_OVERRIDE = "override/named-like-override", Info, "File is an override file by its name",
        "Nothing in an override file has a base. A name that ends in _override makes a file an override file whatever it holds; it may be the name of a resource type.";
    CONTENT_LOST = "override/content-lost", Info, "Override loses part of the base",
        "A block of an override file replaces a block of the base as a whole. What the base's block held and the override does not repeat is gone. Repeat it in the override if it was meant to stay.";
    LOSSES_CUT = "override/losses-cut", Info, "Notes about lost content left out",
        "Overrides lose more content of the base than is reported one by one.";
    PROVIDER_SOURCE_LOST = "override/provider-source-lost", Info, "Override changes where a provider comes from",
        "An entry of required_providers replaces the base's entry as a whole. Without a source of its own it means the provider that its local name implies, whatever source the base gave.";
    TYPE_DEFAULTS = "override/type-defaults", Info, "Defaults of the base's type stay in force",
        "An override replaces the type of a variable, but the defaults in optional() stay those of the base's type.";
    SETTING_TWICE = "override/setting-twice", Error, "Duplicate KIND configuration",
        "An override file has two blocks of a kind that is allowed only once in a module. The tool uses neither of \
         them.";
    SETTING_DISPLACED = "override/setting-displaced", Info, "Setting replaced by another kind",
        "A block of an override file removes a setting of another kind, because a module can have only one of the two.";
    DEFAULT_MISFIT = "override/default-misfit", Error, "Invalid default value for variable",
        "After this override, the default of the variable no longer matches its type, or is null although the \
         variable is not nullable.";
    FIRST_ONLY = "override/first-only", Info, "Override changes the first block only",
        "Several blocks have the header that this block overrides. The tool silently changes only the first one.";
    COPIES_MERGED = "override/copies-merged", Info, "Copies of an override merged into one block",
        "Repeating an override block does not add blocks: all copies are merged into the block that it overrides.";
    PART_LOST = "override/part-lost", Info, "Part of an override has no effect",
        "The tool silently ignores this part of an override block, because there is nothing to merge it with or \
         because it is a repetition.";
    COPIES_LIMIT = "override/copies-over-limit", Error ours, "Too many copies of an override",
        "An override applies to so many blocks that the copies would exceed the size limit of an answer.";
    BLOCK_DROPPED = "override/block-dropped", Info, "Override block has no effect",
        "The tool silently ignores this override block, because nothing in the primary files matches it.";
    NAMESAKE = "override/first-of-name", Info, "Override merged into the first block of its name",
        "The tool looks for the base of this override by name alone and finds one with a different alias.";
}
