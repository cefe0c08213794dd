//! Every code of this stage.

overfold_base::codes! {
    MISSING_BASE = "override/missing-base", Error, "Missing KIND to override",
        "An override block changes something that no primary file declares. Declare it in a primary file, correct the labels of the block, or rename the file if it is not meant to be an override file.";
    ARGUMENT_REFUSED = "override/argument-refused", Error, "Unsupported override",
        "An override file cannot change this argument. The rest of the block is merged, and the original block keeps its argument.";
    ARGUMENT_IGNORED = "override/argument-ignored", Info, "Override has no effect",
        "This argument is accepted in an override file but silently ignored. The original block keeps its value.";
    ARGUMENT_LOST = "override/argument-lost", Warning ours, "Override removes an argument",
        "The override block does not set this argument, but merging still removes it from the original block. This looks unintended; repeat the argument in the override to keep it.";
    NAMED_LIKE_OVERRIDE = "override/named-like-override", Info, "Override file matches nothing",
        "Nothing in an override file matches a block of the primary files. A name that ends in _override makes any file an override file, even if the ending is only part of the name of a resource type.";
    CONTENT_LOST = "override/content-lost", Warning ours, "Override loses part of the original block",
        "A block of an override file replaces a whole block inside the original block. Everything in it that the override does not repeat is lost. Repeat in the override what should stay, and set to null what is meant to go: `encrypted = null` in the override is not reported.";
    LOSSES_CUT = "override/losses-cut", Info, "Further notes about lost content omitted",
        "Overrides lose more original content than is reported one by one.";
    PROVIDER_SOURCE_LOST = "override/provider-source-lost", Warning ours, "Override changes where a provider comes from",
        "An entry of `required_providers` replaces the whole original entry. Without a source it refers to the provider that its local name implies, even if the original entry set another source.";
    TYPE_DEFAULTS = "override/type-defaults", Info, "Defaults of the original type still apply",
        "An override replaces the type of a variable, but the defaults in `optional()` still come from the original type.";
    SETTING_TWICE = "override/setting-twice", Error, "Duplicate KIND configuration",
        "An override file has two blocks of a kind that is allowed only once in a module. Both of them are ignored.";
    SETTING_DISPLACED = "override/setting-displaced", Warning ours, "Setting replaced by another kind",
        "A block of an override file removes a setting of another kind, because a module can have only one of the two.";
    DEFAULT_MISFIT = "override/default-misfit", Error, "Invalid default value for variable",
        "After this override, the default of the variable no longer matches its type, or is null although the \
         variable is not nullable.";
    FIRST_ONLY = "override/first-only", Info, "Override changes the first block only",
        "Several blocks have the header of this override. Only the first of them is changed, silently.";
    COPIES_MERGED = "override/copies-merged", Info, "Copies of an override merged into one block",
        "Repeating an override block does not add blocks: all copies are merged into the block that it overrides.";
    PART_LOST = "override/part-lost", Info, "Part of an override has no effect",
        "This part of an override block is silently ignored, because there is nothing to merge it into or because it repeats an earlier part.";
    COPIES_LIMIT = "override/copies-over-limit", Error ours, "Too many copies of an override",
        "An override applies to so many blocks that the copies would exceed the size limit of an answer.";
    BLOCK_DROPPED = "override/block-dropped", Info, "Override block has no effect",
        "This override block is silently ignored, because no block in the primary files matches it.";
    NAMESAKE = "override/first-of-name", Info, "Override merged into the first block of its name",
        "The original block of this override is looked for by name alone, and a block with a different alias is found.";
}
