//! Every code of this stage.

crate::codes! {
    MISSING_BASE = "override/missing-base", Error, "Missing KIND to override",
        "An override block changes something that no primary file declares. Declare it in a primary file, correct the block's labels, or rename the override file if it was not meant to be one.";
    ARGUMENT_REFUSED = "override/argument-refused", Error, "Unsupported override",
        "The tool does not let an override file change this argument. The rest of the block is merged and the base's argument stays.";
    ARGUMENT_IGNORED = "override/argument-ignored", Info, "Override has no effect",
        "The tool reads this argument in an override file and then drops it without a word: the base's value stays in force.";
    ARGUMENT_LOST = "override/argument-lost", Warning ours, "Override takes an argument away",
        "The override's block counts for this argument even though it states none, so the base's is gone. That looks unintended in the tool; repeat the argument in the override.";
    SETTING_TWICE = "override/setting-twice", Error, "Duplicate KIND configuration",
        "One override file holds two blocks of a kind of which a module can have one. The tool takes neither.";
    SETTING_DISPLACED = "override/setting-displaced", Info, "Setting replaced by another kind",
        "A block of an override file removes a setting of another kind, because a module can have only one of the two.";
    DEFAULT_MISFIT = "override/default-misfit", Error, "Invalid default value for variable",
        "After this override the variable's default no longer fits its type, or is null though the variable is not nullable.";
    FIRST_ONLY = "override/first-only", Info, "Override changes the first block only",
        "Several blocks have the header that this one overrides. The tool changes the first and says nothing.";
    COPIES_MERGED = "override/copies-merged", Info, "Copies of an override go into one block",
        "An override that is repeated adds no blocks: all its copies are merged into the block that it overrides.";
    PART_LOST = "override/part-lost", Info, "Part of an override has no effect",
        "The tool drops this part of an override block without a word: there is nothing for it to merge with, or it was given before.";
    COPIES_LIMIT = "override/copies-over-limit", Error ours, "Too many copies of an override",
        "One override goes into so many blocks that the copies would take more room than one answer may.";
    BLOCK_DROPPED = "override/block-dropped", Info, "Override block has no effect",
        "The tool drops this override block without a word, because nothing in the primary files matches it.";
    NAMESAKE = "override/first-of-name", Info, "Override merges into the first of its name",
        "The tool finds the base of this override by name alone, and that is not the one with the same alias.";
}
