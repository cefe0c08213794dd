//! Codes of loading: decoding each file and appending the primary ones. The reader of bodies and the leaf decoders
//! have tables of their own.

crate::codes! {
    SPECIAL_SKIPPED = "load/special-entry-skipped", Info, "Entry skipped",
        "The directory holds something that is no regular file and that the tool would not have read; it is left out.";
    PASSED_OVER = "load/file-passed-over", Info, "File passed over",
        "The file would be read only if it were the one configuration file of the directory.";
    UNKNOWN_KIND = "load/unknown-kind", Error, "Unsupported KIND",
        "The first label of a block says what kind of thing it is, and there is no such kind. The block is left out.";
    UNLISTED_VALUE = "load/unlisted-value", Error, "Unsupported VALUE",
        "The argument takes one of a few texts, and this is none of them.";
    NAME_TAKEN = "load/name-taken", Error, "NAME cannot be replaced",
        "The tool has something of its own under this name, which nothing else can take the place of.";
    NOT_BOTH = "load/two-forms", Error, "Conflicting forms",
        "A block is given in two forms that exclude each other. Keep one of them.";
    IGNORED_BLOCK = "load/ignored-in-override", Info, "Block in override file has no effect",
        "Blocks of this type are accepted in override files and change nothing; the tool says nothing about it.";
    DROPPED_BLOCK = "load/ignored-block", Info, "Block has no effect",
        "This version of the tool accepts the block without looking inside and forgets it.";
    FORGOTTEN_ARGUMENT = "load/forgotten-argument", Info, "Argument has no effect",
        "The tool accepts the argument in this place without looking at it, and says nothing about that.";
    ESCAPED_TWICE = "load/escaped-twice", Warning ours, "Duplicate argument",
        "An argument stands both in an escape block and outside of it. Keep one of them.";
    HIDDEN_FILE = "load/file-hidden", Info, "File hidden by its partner",
        "A file of the same name in the tool's own suffix takes the place of this one, which is not even opened.";
    CRASHES_THE_TOOL = "load/crashes-the-tool", Error ours, "The tool crashes here",
        "The tool itself does not survive this input; it gives no message of its own.";
    NEEDED_ARGUMENT = "load/needed-argument", Error, "Missing ARGUMENT",
        "A block of this kind says nothing without the argument.";
    INVALID_NAME = "load/invalid-name", Error, "Invalid name",
        "A name may hold letters, digits, dashes and underscores, and begins with a letter or an underscore.";
    RESERVED_NAME = "load/reserved-variable-name", Error, "Invalid variable name",
        "A module block uses this name for itself, so no caller could set a variable of that name.";
    REFUSED_BLOCK = "load/refused-block", Error, "Reserved block type name",
        "A block type is reserved in this place, or may not stand here.";
    REFUSED_ARGUMENT = "load/refused-argument", Error, "Reserved argument name",
        "An argument is reserved in this place, or may not stand here.";
    CONDITION_IN_OVERRIDE = "load/condition-in-override", Error, "Can't override validation blocks",
        "Conditions and checks are kept as the primary files state them; an override file cannot add or change any.";
    REFUSED_OVERRIDE = "load/refused-override", Error, "Cannot override 'moved' blocks",
        "Blocks of this type record history and stand in primary files only.";
    DUPLICATE = "load/duplicate", Error, "Duplicate KIND configuration",
        "Two primary files, or two places of one, declare the same thing. Rename one, remove one, or move one to an override file.";
    DUPLICATE_INNER = "load/duplicate-nested-block", Error, "Duplicate BLOCK block",
        "A block of this type may stand only once in the block around it.";
    EXCLUDED = "load/excluded", Error, "Both a backend and cloud configuration are present",
        "The two settings exclude each other. Told once for every primary file from the one on that brings the second.";
    IDLE_REPETITION = "load/repetition-without-effect", Info, "Argument has no effect",
        "Overrides have brought several ways of repetition together. The tool does not compare them and goes by one.";
    COUNT_AND_FOR_EACH = "load/count-with-for-each", Error, "Invalid combination of \"count\" and \"for_each\"",
        "Repetition is either by count or by for_each. Keep one of them.";
    ALIAS_REQUIRED = "load/alias-required", Error, "Alias required when using \"for_each\"",
        "Only a provider configuration with an alias may have several instances.";
    UNSUITABLE_VALUE = "load/unsuitable-value", Error, "Unsuitable value type",
        "The value has to be known when the file is read and has to be of the type that the argument takes.";
    INVALID_ALIAS = "load/invalid-provider-alias", Error, "Invalid provider configuration alias",
        "An alias is a name: letters, digits, dashes and underscores, written as a constant.";
    PROVIDER_VERSION = "load/provider-version", Warning,
        "Version constraints inside provider configuration blocks are deprecated",
        "Constrain the provider's version in required_providers instead.";
    DUPLICATE_KEYWORD = "load/duplicate-keyword", Error, "Duplicate \"WORD\" event",
        "The list names a word twice.";
    OPTIONAL_EXPERIMENT = "load/optional-is-experimental", Error,
        "Optional object type attributes are experimental",
        "This version takes optional() only in modules that opt into its experiment.";
    INVALID_DEFAULT = "load/invalid-default", Error, "Invalid default value for variable",
        "The default does not fit the type of the variable, or is null where the variable may not be.";
    CONST_SENSITIVE = "load/const-variable-sensitive", Error, "Const variable cannot be sensitive",
        "A constant variable is read while the module is loaded, so it cannot hold a secret.";
    CONST_EPHEMERAL = "load/const-variable-ephemeral", Error, "Const variable cannot be ephemeral",
        "A constant variable is read while the module is loaded, so it cannot be ephemeral.";
    MESSAGE_SENTENCE = "load/validation-message", Error, "Invalid validation error message",
        "In this version a message has to be a full sentence: a capital letter first, a full stop, question mark or exclamation mark last.";
    PROVISIONER_GONE = "load/provisioner-removed", Error, "The \"KIND\" provisioner has been removed",
        "The provisioner is no longer part of the tool.";
    ZERO_ASSERTS = "load/check-without-assert", Error, "Zero assert blocks",
        "A check states at least one assertion.";
    MULTIPLE_DATA = "load/check-with-several-data", Error, "Multiple data resource blocks",
        "A check has room for one data source of its own.";
    SCOPED_META = "load/check-data-meta-argument", Error, "Invalid \"count\" attribute",
        "The data source of a check stands for one object.";
    SCOPED_LIFECYCLE = "load/check-data-lifecycle", Error, "Invalid lifecycle block",
        "The check around it decides about the life of its data source.";
    IMPORT_FORM = "load/import-identity", Error, "Invalid import block",
        "What is imported is named either by id or by identity.";
    REMOVED_UNSTATED = "load/removed-without-destroy", Warning, "Missing lifecycle from the removed block",
        "A removed block says whether what it names is to be destroyed or only forgotten; without a word it is forgotten.";
    REMOVED_IDLE_PROVISIONERS = "load/removed-provisioners-never-run", Warning,
        "Removed block provisioners will not be executed",
        "What is only forgotten is not destroyed, so no destroy provisioner runs.";
    TOOL_FAILS = "load/tool-fails", Info, "The tool fails here",
        "The tool of this version stops with an internal failure at this point; what is told here it would not come to tell.";
    BLANK_TEXT = "load/blank-deprecation", Error, "Invalid `deprecated` value",
        "A deprecation tells users what to do instead. Say so, or leave the argument out.";
    LOST_ATTRIBUTE = "load/default-attribute-ignored", Warning, "Object attribute is ignored",
        "The default sets an attribute that the type has no room for, so it is lost. It may be misspelt.";
    REMOVED_PROVISIONER = "load/removed-provisioner", Error, "Invalid provisioner block",
        "What is removed can only run its destroy provisioners.";
    NO_EVENTS = "load/trigger-without-events", Error, "No events specified",
        "A trigger names the events at which it acts.";
    NO_ACTIONS = "load/trigger-without-actions", Error, "No actions specified",
        "A trigger names the actions that it runs.";
    NOT_AN_ACTION = "load/trigger-target-no-action", Error, "Invalid action argument inside action_triggers",
        "Only actions of this module can be triggered.";
    FOREIGN_ACTION = "load/trigger-target-elsewhere", Error, "Invalid reference to action outside this module",
        "Only actions of this module can be triggered.";
    SEVERAL_ACTIONS = "load/trigger-item-with-several-actions", Error, "Invalid action expression",
        "Each item of the list names one action.";
    PLAIN_TYPE = "load/unknown-plain-type", Error, "Variable 'NAME' type must be one of [TYPES] - 'TYPE' is not a valid type",
        "A variable of this generation is of the type string, list or map; the word stands in quotes.";
    PLAIN_DEFAULT = "load/default-of-another-type", Error, "'NAME' has a default value which is not of type 'TYPE' (got 'TYPE')",
        "A block declares a type and gives a default of another type.";
    PLAIN_INTERPOLATED = "load/interpolated-default", Error, "variable \"NAME\": default may not contain interpolations",
        "The default of a variable is a literal value. Give an expression its name with a local value.";
    PLAIN_UNDECODABLE = "load/undecodable", Error, "The value cannot be decoded",
        "One name is given several values that do not go together, or a value of a kind that it does not take.";
    INTERPOLATED = "load/interpolated-constant", Error, "NAME cannot contain interpolations",
        "The value is needed before anything is worked out, so it has to be a literal text.";
    NOT_WHOLE = "load/count-no-whole-number", Error, "resource count must be an integer",
        "The number of instances is a whole number, or a text that is worked out to one.";
    REPLACED_BY_LATER_FILE = "load/replaced-by-later-file", Info, "Replaced by a later file",
        "Two primary files give the setting. The tool takes the one of the later file without a word.";
    NAME_KEPT = "load/name-kept-by-modules", Info, "Variable that no caller can set",
        "A module block has a setting of this name, so a value that a caller means for the variable never reaches it.";
    UNKNOWN_KEY = "load/unknown-root-key", Error, "Unknown root level key: KEY",
        "A file holds something at its top that is no block type. Check its spelling.";
}
