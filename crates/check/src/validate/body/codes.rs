//! Codes of bodies that do not fit their schema. The title of a code that concerns a block type contains its keyword.

overfold_base::codes! {
    VALUE_TYPE = "validate/attribute-type", Error, "Incorrect attribute value type",
        "The value of an argument cannot be converted to the type that the schema requires.";
    MISSING_BLOCK = "validate/missing-block", Error, "Missing BLOCK block",
        "The block must contain one nested block of this type.";
    FEW_BLOCKS = "validate/too-few-blocks", Error, "Insufficient BLOCK blocks",
        "The block contains fewer nested blocks of this type than it must.";
    MANY_BLOCKS = "validate/too-many-blocks", Error, "Too many BLOCK blocks",
        "The block contains more nested blocks of this type than it may.";
    DUPLICATE_BLOCK = "validate/duplicate-block", Error, "Duplicate BLOCK block",
        "The block contains a second nested block of a type that may occur only once, or once with each label.";
    EPHEMERAL_VALUE = "validate/ephemeral-argument", Error, "Invalid use of ephemeral value",
        "Resources are stored, so an ephemeral value can be given only to a write-only argument.";
    PROVIDER_UNCONFIGURABLE = "validate/provider-unconfigurable", Error ours, "Value for unconfigurable attribute",
        "The configuration sets an attribute that only the provider sets, which most providers refuse.";
    PROVIDER_REQUIRED = "validate/provider-required", Error ours, "Missing required argument",
        "A required argument is null, which most providers refuse.";
    READ_ONLY = "validate/read-only-attribute", Error, "\"ATTRIBUTE\" attribute is read-only",
        "The attribute is computed when the resource is created, so it cannot be set.";
    BACKEND_CONFIGURATION = "validate/remote-state-backend", Error, "Invalid backend configuration",
        "The state of another configuration is read through a backend that does not exist, or that is configured wrongly.";
    STATE_DEFAULTS = "validate/remote-state-defaults", Error, "Invalid default values",
        "The defaults for outputs of another configuration must be an object or a map.";
    FILE_CONTENT_MISSING = "validate/file-without-content", Error, "Must provide one of 'source' or 'content'",
        "A file provisioner sets neither what to copy nor the content to write.";
    FILE_CONTENT_TWICE = "validate/file-with-two-contents", Error, "Cannot set both 'source' and 'content'",
        "A file provisioner sets both what to copy and the content to write.";
    LOCAL_EXEC = "validate/local-exec-command", Error, "Invalid local-exec provisioner command",
        "The command of a local-exec provisioner must not be empty.";
    FILE_DESTINATION = "validate/file-destination", Error, "Invalid file provisioner configuration",
        "The destination of a file provisioner must not be empty.";
    REMOTE_EXEC = "validate/remote-exec-commands", Error, "Invalid remote-exec provisioner configuration",
        "A remote-exec provisioner must set exactly one of its arguments.";
}
