//! Codes about which files are read.

overfold_base::codes! {
    SPECIAL_SKIPPED = "load/special-entry-skipped", Info, "Entry skipped",
        "The directory contains something other than a regular file, which would not be read. It is skipped.";
    NO_CONFIGURATION = "load/no-configuration", Warning ours, "No configuration files",
        "The module directory contains no configuration files, so there is nothing to merge. Check that this is the right directory.";
    OLDER_LANGUAGE = "load/older-language", Info, "Module for an older version of the tool",
        "Quoted types, expressions wrapped in interpolations, or the version constraint suggest that the module was written for a version with the older grammar. Ask for the dialect that reads it.";
    NEAR_OVERRIDE_NAME = "load/near-override-name", Info, "File is not an override file",
        "The name of a primary file is almost the name of an override file. It is loaded like any primary file, so it overrides nothing.";
    OVERRIDE_OF_LATER_VERSION = "load/override-of-later-version", Info, "Override file of a later version",
        "The name makes the file an override file only in later versions. The version that is followed does not read it.";
}
