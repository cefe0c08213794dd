//! Codes of decoding.

overfold_base::codes! {
    PASSED_OVER = "load/fallback-not-read", Info, "Fallback file not read",
        "This file is read only when it is the only configuration file in the directory.";
    UNKNOWN_KIND = "load/unknown-kind", Error, "Unsupported KIND",
        "The first label of the block is not a known kind. The block is ignored.";
    UNLISTED_VALUE = "load/unlisted-value", Error file, "Unsupported VALUE",
        "The value is not one of the strings that this argument accepts.";
    IGNORED_BLOCK = "load/ignored-in-override", Info, "Block in override file has no effect",
        "Blocks of this type are accepted in override files but silently ignored. Move the block to a primary file.";
    DROPPED_BLOCK = "load/ignored-block", Info, "Block has no effect",
        "The version followed here accepts the block but ignores its content.";
    FORGOTTEN_ARGUMENT = "load/forgotten-argument", Info, "Argument has no effect",
        "The argument is accepted here but silently ignored.";
    ESCAPED_TWICE = "load/escaped-twice", Warning ours, "Duplicate argument",
        "An argument is set both inside and outside of an escape block. Keep only one of the two.";
    HIDDEN_FILE = "load/file-replaced", Info, "File replaced by another file",
        "A file of the same name with a preferred suffix, such as `.tofu`, replaces this file, so this file is not read.";
    CRASHES_THE_TOOL = "load/crashes-the-tool", Error ours, "The tool crashes here",
        "This input causes a crash instead of an error.";
    NEEDED_ARGUMENT = "load/needed-argument", Error, "Missing ARGUMENT",
        "The block does not set an argument that it needs here. Add the argument.";
    INVALID_NAME = "load/invalid-name", Error file, "Invalid name",
        "A name starts with a letter or an underscore and contains only letters, digits, underscores and dashes.";
    RESERVED_NAME = "load/reserved-variable-name", Error, "Invalid variable name",
        "`module` blocks use this name for an argument of their own, so no caller could set the variable. Choose another name.";
    REFUSED_BLOCK = "load/refused-block", Error, "Reserved block type name",
        "The block type is reserved for a future version, or is not allowed here.";
    REFUSED_ARGUMENT = "load/refused-argument", Error, "Reserved argument name",
        "The argument name is reserved, or the argument is not allowed here. Remove the argument.";
    CONDITION_IN_OVERRIDE = "load/condition-in-override", Error, "Can't override validation blocks",
        "Blocks of this type, such as custom conditions, are not read in override files. Move the block to a primary file.";
    REFUSED_OVERRIDE = "load/refused-override", Error, "Cannot override 'moved' blocks",
        "Blocks of this type record changes of addresses and are allowed only in primary files.";
    DUPLICATE = "load/duplicate", Error file, "Duplicate KIND configuration",
        "The primary files declare the same thing more than once. Keep only one of the declarations, or give them different names.";
    PLAN_OPTIONS = "load/incompatible-plan-options", Error, "Incompatible plan options",
        "A test run that only refreshes the state has nothing to do when refreshing is switched off.";
    DUPLICATE_INNER = "load/duplicate-nested-block", Error file, "Duplicate BLOCK block",
        "Only one block of this type is allowed here. Remove the others.";
    EXCLUDED = "load/excluded", Error, "Both a backend and cloud configuration are present",
        "The two settings exclude each other. This is reported again for every primary file that is read after both have been found.";
    COUNT_AND_FOR_EACH = "load/count-with-for-each", Error, "Invalid combination of \"count\" and \"for_each\"",
        "`count` and `for_each` are alternative ways to create several instances of an object. Keep only one of them.";
    ALIAS_REQUIRED = "load/alias-required", Error, "Alias required when using \"for_each\"",
        "A provider configuration with `for_each` has several instances, which can be referred to only by an alias. Set the argument `alias`.";
    INVALID_ALIAS = "load/invalid-provider-alias", Error, "Invalid provider configuration alias",
        "An alias must be a constant string of letters, digits, underscores and dashes.";
    PROVIDER_VERSION = "load/provider-version", Warning,
        "Version constraints inside provider configuration blocks are deprecated",
        "Constrain the version of the provider in `required_providers` instead.";
    DUPLICATE_KEYWORD = "load/duplicate-keyword", Error, "Duplicate \"WORD\" event",
        "The list contains the same event twice. Remove the repetition.";
    INVALID_DEFAULT = "load/invalid-default", Error, "Invalid default value for variable",
        "The default cannot be converted to the type of the variable, or is null although the variable is not nullable.";
    CONST_SENSITIVE = "load/const-variable-sensitive", Error, "Const variable cannot be sensitive",
        "A constant variable is evaluated while the module is loaded, so it cannot be sensitive.";
    CONST_EPHEMERAL = "load/const-variable-ephemeral", Error, "Const variable cannot be ephemeral",
        "A constant variable is evaluated while the module is loaded, so it cannot be ephemeral.";
    MESSAGE_SENTENCE = "load/validation-message", Error, "Invalid validation error message",
        "In this version an error message must be a full sentence that starts with an upper-case letter and ends with a full stop, a question mark or an exclamation mark.";
    PROVISIONER_GONE = "load/provisioner-removed", Error, "The \"KIND\" provisioner has been removed",
        "The version followed here no longer includes this provisioner. Use another one, or a version that still has it.";
    ZERO_ASSERTS = "load/check-without-assert", Error, "Zero assert blocks",
        "A `check` block needs at least one `assert` block; without one it checks nothing.";
    MULTIPLE_DATA = "load/check-with-several-data", Error, "Multiple data resource blocks",
        "A `check` block can contain only one data source.";
    SCOPED_META = "load/check-data-meta-argument", Error, "Invalid \"count\" attribute",
        "A data source inside a `check` block has only one instance. Remove `count` or `for_each`.";
    SCOPED_LIFECYCLE = "load/check-data-lifecycle", Error, "Invalid lifecycle block",
        "A data source inside a `check` block cannot have a `lifecycle` block.";
    IMPORT_FORM = "load/import-identity", Error, "Invalid import block",
        "An `import` block needs exactly one of the arguments `id` and `identity`.";
    REMOVED_UNSTATED = "load/removed-without-destroy", Warning, "Missing lifecycle from the removed block",
        "The block does not set `destroy`, so the object is removed from the state but not destroyed. Set `destroy` to choose one of the two.";
    REMOVED_IDLE_PROVISIONERS = "load/removed-provisioners-never-run", Warning,
        "Removed block provisioners will not be executed",
        "The object is removed from the state but not destroyed, so its destroy-time provisioners do not run.";
    TOOL_FAILS = "load/tool-fails", Info, "The tool fails here",
        "The version followed here fails with an internal error at this point, before it could report the problem.";
    BLANK_TEXT = "load/blank-deprecation", Error, "Invalid `deprecated` value",
        "A deprecation message must describe what to use instead. Add one, or remove the argument.";
    LOST_ATTRIBUTE = "load/default-attribute-ignored", Warning, "Object attribute is ignored",
        "The default sets an attribute that the type does not have, so the value is discarded. The name may be misspelled.";
    REMOVED_PROVISIONER = "load/removed-provisioner", Error, "Invalid provisioner block",
        "A `removed` block can contain only destroy-time provisioners, and only for a managed resource.";
    NO_EVENTS = "load/trigger-without-events", Error, "No events specified",
        "An action trigger must list at least one event.";
    NO_ACTIONS = "load/trigger-without-actions", Error, "No actions specified",
        "An action trigger must list at least one action.";
    NOT_AN_ACTION = "load/trigger-target-no-action", Error, "Invalid action argument inside action_triggers",
        "Only actions can be triggered, not other objects.";
    FOREIGN_ACTION = "load/trigger-target-elsewhere", Error, "Invalid reference to action outside this module",
        "Only actions of the same module can be triggered.";
    SEVERAL_ACTIONS = "load/trigger-item-with-several-actions", Error, "Invalid action expression",
        "Each item must refer to exactly one action.";
    PLAIN_TYPE = "load/unknown-plain-type", Error file, "Variable 'NAME' type must be one of [TYPES] - 'TYPE' is not a valid type",
        "In this version the type of a variable is \"string\", \"list\" or \"map\", written in quotes.";
    PLAIN_DEFAULT = "load/default-of-another-type", Error file, "'NAME' has a default value which is not of type 'TYPE' (got 'TYPE')",
        "The default does not have the declared type. Change one of them.";
    PLAIN_UNDECODABLE = "load/undecodable", Error file, "The value cannot be decoded",
        "A name is assigned several values that cannot be combined, or a value of the wrong type.";
    INTERPOLATED = "load/interpolated-constant", Error, "NAME cannot contain interpolations",
        "The value is read before anything is evaluated, so it must be a literal string.";
    NOT_WHOLE = "load/count-no-whole-number", Error, "resource count must be an integer",
        "The number of instances must be a whole number, or a string that evaluates to one.";
    REPLACED_BY_LATER_FILE = "load/replaced-by-later-file", Info, "Replaced by a later file",
        "Two primary files contain the same setting. The one from the later file is silently used.";
    NAME_KEPT = "load/name-kept-by-modules", Info, "Variable that no caller can set",
        "`module` blocks use this name for an argument of their own, so a caller's value never reaches the variable.";
    UNKNOWN_KEY = "load/unknown-root-key", Error, "Unknown root level key: KEY",
        "A name at the top level of the file is not a known block type. Check its spelling.";
    MOVED_ADDRESS = "load/unmovable-address", Error, "Invalid \"moved\" address",
        "An address of the `moved` block is missing or invalid, or refers to an ephemeral resource, which cannot be moved.";
    MOVED_ADDRESSES = "load/incompatible-moved-addresses", Error, "Invalid \"moved\" addresses",
        "The two addresses of a `moved` block refer to objects of different kinds.";
    IMPORT_DUPLICATE_ID = "load/duplicate-import-id", Error, "Duplicate import for ID \"ID\"",
        "Two `import` blocks use the same ID for resources of the same type. An object can be imported only once.";
    IMPORT_MOVE_SOURCE = "load/import-to-move-source", Error, "Cannot import to a move source",
        "The target of an `import` block is the old address of a `moved` block. Import into the new address instead.";
    INCOMPATIBLE_MODULE = "load/incompatible-module", Error, "Incompatible module",
        "A file requires another version than the one that is followed. Nothing else is reported about the module.";
    INEFFECTIVE_CONSTRAINT = "load/ineffective-version-constraint", Warning, "Ineffective version constraint",
        "The constraint allows releases that do not know the block it is in, so those releases ignore it. Exclude them.";
    OWN_VERSION_NOT_KEPT = "load/own-version-not-kept", Info, "Version constraint not kept",
        "The constraint is compared with the version that is followed as soon as its file is read. It is not merged and is not part of the result.";
    MODULE_SOURCE = "load/invalid-module-source", Error, "Invalid module source address",
        "The source of the module is not a local path, a registry address or a supported remote address.";
    REGISTRY_SOURCE = "load/invalid-registry-module-source", Error, "Invalid registry module source address",
        "A module with a version must come from a registry, but its source is not a registry address.";
    VERSION_WITHOUT_REGISTRY = "load/version-without-registry", Warning ours, "Invalid version constraint",
        "A module call has a version, but its source is not a registry address. One of the two may come from an override file. The configuration can be loaded, but the module cannot be installed.";
}
