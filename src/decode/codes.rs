//! Codes of decoding.

crate::codes! {
    PASSED_OVER = "load/file-passed-over", Info, "File passed over",
        "This file is read only when it is the only configuration file in the directory.";
    UNKNOWN_KIND = "load/unknown-kind", Error, "Unsupported KIND",
        "The first label of the block is not a known kind. The block is ignored.";
    UNLISTED_VALUE = "load/unlisted-value", Error file, "Unsupported VALUE",
        "The value is not one of the strings that this argument accepts.";
    IGNORED_BLOCK = "load/ignored-in-override", Info, "Block in override file has no effect",
        "Blocks of this type are accepted in override files, but silently have no effect.";
    DROPPED_BLOCK = "load/ignored-block", Info, "Block has no effect",
        "This version of the tool accepts the block but ignores its content.";
    FORGOTTEN_ARGUMENT = "load/forgotten-argument", Info, "Argument has no effect",
        "The tool accepts the argument here but silently ignores it.";
    ESCAPED_TWICE = "load/escaped-twice", Warning ours, "Duplicate argument",
        "An argument is set both inside and outside of an escape block. Keep one of them.";
    HIDDEN_FILE = "load/file-hidden", Info, "File hidden by its partner",
        "A file of the same name with the tool's own suffix replaces this file, which is not read.";
    CRASHES_THE_TOOL = "load/crashes-the-tool", Error ours, "The tool crashes here",
        "The tool crashes on this input without a message of its own.";
    NEEDED_ARGUMENT = "load/needed-argument", Error, "Missing ARGUMENT",
        "A block of this kind has no meaning without this argument.";
    INVALID_NAME = "load/invalid-name", Error file, "Invalid name",
        "A name starts with a letter or an underscore and contains only letters, digits, underscores and dashes.";
    RESERVED_NAME = "load/reserved-variable-name", Error, "Invalid variable name",
        "Module blocks use this name for an argument of their own, so no caller could set the variable.";
    REFUSED_BLOCK = "load/refused-block", Error, "Reserved block type name",
        "The block type is reserved or not allowed here.";
    REFUSED_ARGUMENT = "load/refused-argument", Error, "Reserved argument name",
        "The argument is reserved or not allowed here.";
    CONDITION_IN_OVERRIDE = "load/condition-in-override", Error, "Can't override validation blocks",
        "Custom conditions come from the primary files; an override file cannot add or change them.";
    REFUSED_OVERRIDE = "load/refused-override", Error, "Cannot override 'moved' blocks",
        "Blocks of this type record history and are allowed only in primary files.";
    DUPLICATE = "load/duplicate", Error file, "Duplicate KIND configuration",
        "Two primary files, or two places of one, declare the same thing. Rename one, remove one, or move one to an override file.";
    PLAN_OPTIONS = "load/incompatible-plan-options", Error, "Incompatible plan options",
        "A test run in the mode refresh-only has nothing to do when refreshing is switched off.";
    DUPLICATE_INNER = "load/duplicate-nested-block", Error file, "Duplicate BLOCK block",
        "Only one block of this type is allowed here.";
    EXCLUDED = "load/excluded", Error, "Both a backend and cloud configuration are present",
        "The two settings exclude each other. Reported for every primary file from the one that adds the second setting.";
    COUNT_AND_FOR_EACH = "load/count-with-for-each", Error, "Invalid combination of \"count\" and \"for_each\"",
        "An object uses either count or for_each. Keep one of them.";
    ALIAS_REQUIRED = "load/alias-required", Error, "Alias required when using \"for_each\"",
        "Only a provider configuration with an alias may have several instances.";
    INVALID_ALIAS = "load/invalid-provider-alias", Error, "Invalid provider configuration alias",
        "An alias must be a constant string with letters, digits, underscores and dashes only.";
    PROVIDER_VERSION = "load/provider-version", Warning,
        "Version constraints inside provider configuration blocks are deprecated",
        "Constrain the provider's version in required_providers instead.";
    DUPLICATE_KEYWORD = "load/duplicate-keyword", Error, "Duplicate \"WORD\" event",
        "The list contains a word twice.";
    INVALID_DEFAULT = "load/invalid-default", Error, "Invalid default value for variable",
        "The default does not fit the type of the variable, or is null where the variable may not be.";
    CONST_SENSITIVE = "load/const-variable-sensitive", Error, "Const variable cannot be sensitive",
        "A constant variable is read while the module is loaded, so it cannot be sensitive.";
    CONST_EPHEMERAL = "load/const-variable-ephemeral", Error, "Const variable cannot be ephemeral",
        "A constant variable is read while the module is loaded, so it cannot be ephemeral.";
    MESSAGE_SENTENCE = "load/validation-message", Error, "Invalid validation error message",
        "In this version an error message must be a full sentence that starts with a capital letter and ends with a full stop, question mark or exclamation mark.";
    PROVISIONER_GONE = "load/provisioner-removed", Error, "The \"KIND\" provisioner has been removed",
        "The provisioner has been removed from the tool.";
    ZERO_ASSERTS = "load/check-without-assert", Error, "Zero assert blocks",
        "A check needs at least one assertion.";
    MULTIPLE_DATA = "load/check-with-several-data", Error, "Multiple data resource blocks",
        "A check can contain only one data source.";
    SCOPED_META = "load/check-data-meta-argument", Error, "Invalid \"count\" attribute",
        "The data source of a check cannot be repeated.";
    SCOPED_LIFECYCLE = "load/check-data-lifecycle", Error, "Invalid lifecycle block",
        "A data source inside a check cannot have a lifecycle block.";
    IMPORT_FORM = "load/import-identity", Error, "Invalid import block",
        "An import block needs either id or identity, not both.";
    REMOVED_UNSTATED = "load/removed-without-destroy", Warning, "Missing lifecycle from the removed block",
        "Without a lifecycle block the object is removed from the state but not destroyed. Say which is meant.";
    REMOVED_IDLE_PROVISIONERS = "load/removed-provisioners-never-run", Warning,
        "Removed block provisioners will not be executed",
        "An object that is only removed from the state is not destroyed, so its destroy provisioners do not run.";
    TOOL_FAILS = "load/tool-fails", Info, "The tool fails here",
        "This version of the tool fails with an internal error at this point, before it could report this.";
    BLANK_TEXT = "load/blank-deprecation", Error, "Invalid `deprecated` value",
        "A deprecation message must say what to use instead. Add one, or remove the argument.";
    LOST_ATTRIBUTE = "load/default-attribute-ignored", Warning, "Object attribute is ignored",
        "The default sets an attribute that the type does not have, so its value is discarded. It may be misspelled.";
    REMOVED_PROVISIONER = "load/removed-provisioner", Error, "Invalid provisioner block",
        "A removed block can contain only destroy provisioners.";
    NO_EVENTS = "load/trigger-without-events", Error, "No events specified",
        "An action trigger needs at least one event.";
    NO_ACTIONS = "load/trigger-without-actions", Error, "No actions specified",
        "An action trigger needs at least one action.";
    NOT_AN_ACTION = "load/trigger-target-no-action", Error, "Invalid action argument inside action_triggers",
        "Only actions of this module can be triggered.";
    FOREIGN_ACTION = "load/trigger-target-elsewhere", Error, "Invalid reference to action outside this module",
        "Only actions of this module can be triggered.";
    SEVERAL_ACTIONS = "load/trigger-item-with-several-actions", Error, "Invalid action expression",
        "Each item must refer to one action.";
    PLAIN_TYPE = "load/unknown-plain-type", Error file, "Variable 'NAME' type must be one of [TYPES] - 'TYPE' is not a valid type",
        "In this version a variable has the type \"string\", \"list\" or \"map\", written in quotes.";
    PLAIN_DEFAULT = "load/default-of-another-type", Error file, "'NAME' has a default value which is not of type 'TYPE' (got 'TYPE')",
        "The default is not of the declared type.";
    PLAIN_UNDECODABLE = "load/undecodable", Error file, "The value cannot be decoded",
        "A name is assigned several values that cannot be combined, or a value of the wrong kind.";
    INTERPOLATED = "load/interpolated-constant", Error, "NAME cannot contain interpolations",
        "The value is needed before anything is evaluated, so it must be a literal string.";
    NOT_WHOLE = "load/count-no-whole-number", Error, "resource count must be an integer",
        "The number of instances must be a whole number or a string that evaluates to one.";
    REPLACED_BY_LATER_FILE = "load/replaced-by-later-file", Info, "Replaced by a later file",
        "Two primary files set this. The tool silently uses the value from the later file.";
    NAME_KEPT = "load/name-kept-by-modules", Info, "Variable that no caller can set",
        "Module blocks have an argument of this name, so a caller's value never reaches the variable.";
    UNKNOWN_KEY = "load/unknown-root-key", Error, "Unknown root level key: KEY",
        "The file has a top-level name that is not a known block type. Check its spelling.";
    MOVED_ADDRESS = "load/unmovable-address", Error, "Invalid \"moved\" address",
        "An address of the `moved` block is missing, invalid, or an ephemeral resource, which cannot be moved.";
    MOVED_ADDRESSES = "load/incompatible-moved-addresses", Error, "Invalid \"moved\" addresses",
        "The two addresses of a `moved` block are of different kinds.";
    IMPORT_DUPLICATE_ID = "load/duplicate-import-id", Error, "Duplicate import for ID \"ID\"",
        "Two `import` blocks use the same ID for resources of the same type.";
    IMPORT_MOVE_SOURCE = "load/import-to-move-source", Error, "Cannot import to a move source",
        "The target of an `import` block is the old address of a `moved` block.";
    INCOMPATIBLE_MODULE = "load/incompatible-module", Error, "Incompatible module",
        "A file does not allow the tool version of this request. The tool reports nothing else about the module.";
    INEFFECTIVE_CONSTRAINT = "load/ineffective-version-constraint", Warning, "Ineffective version constraint",
        "The constraint allows releases that do not support the block that contains it.";
    OWN_VERSION_NOT_KEPT = "load/own-version-not-kept", Info, "Version constraint is not kept",
        "The tool compares a constraint of its own version where it stands, file by file. It is not merged and not part of the result.";
    MODULE_SOURCE = "load/invalid-module-source", Error, "Invalid module source address",
        "The module source is not a local path, a registry address or a supported remote address.";
    REGISTRY_SOURCE = "load/invalid-registry-module-source", Error, "Invalid registry module source address",
        "A module with a version must come from a registry, but the source is not a registry address.";
    VERSION_WITHOUT_REGISTRY = "load/version-without-registry", Warning ours, "Invalid version constraint",
        "A module call has a version, and its source is not a registry. One of the two may come from an override file. The tool loads this and refuses it when it installs modules.";
    UNSUPPORTED_TOOL_VERSION = "load/unsupported-tool-version", Error, "Unsupported Terraform Core version",
        "`required_version` does not allow the tool version of this request. Request a version that it allows, or change the constraint.";
    REQUIRED_VERSION_PRE_RELEASE = "load/pre-release-in-required-version", Error, "Invalid required_version constraint",
        "`required_version` contains a pre-release version, which is not supported.";
}
