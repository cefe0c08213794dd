//! Rows of arguments: how an argument's expression is read when a file is loaded.

use super::described::described;
use super::{AttrMerge, BlockSpec, When};

/// One argument of a block type.
#[derive(Clone, Copy, Debug)]
pub struct AttrSpec {
    /// The argument's name, as written in configuration.
    pub name: &'static str,
    /// The releases in which the row holds.
    pub when: When,
    /// Whether the argument is required.
    pub required: Required,
    /// How the argument's expression is read.
    pub kind: AttrKind,
    /// How the argument in an override block changes the argument of the base.
    pub merge: AttrMerge,
}

impl AttrSpec {
    /// Creates the row of an optional argument in all releases, which an override replaces.
    pub const fn new(name: &'static str, kind: AttrKind) -> Self {
        Self { name, when: When::ALWAYS, required: Required::No, kind, merge: AttrMerge::Replace }
    }

    /// Limits the row to these releases.
    #[must_use]
    pub const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// Sets whether the argument is required.
    #[must_use]
    pub const fn required(self, required: Required) -> Self {
        Self { required, ..self }
    }

    /// Sets how the argument in an override block changes the base.
    #[must_use]
    pub const fn merge(self, merge: AttrMerge) -> Self {
        Self { merge, ..self }
    }

    /// Whether the JSON syntax expects the value as plain text, without `${…}`: references, type constraints,
    /// addresses and keywords (terraform.md, section 9).
    pub const fn bare_in_json(&self) -> bool {
        matches!(
            self.kind,
            AttrKind::TypeConstraint(_)
                | AttrKind::References { .. }
                | AttrKind::ProviderReference
                | AttrKind::ProviderMap
                | AttrKind::IgnoreChanges
                | AttrKind::ReplaceTriggers
                | AttrKind::Address(_)
                | AttrKind::Keyword(_)
                | AttrKind::BareKeyword(_)
                | AttrKind::BareKeywordAtArgument(_)
                | AttrKind::OverrideTarget { .. }
                | AttrKind::Keywords(_)
                | AttrKind::Edition(_)
                | AttrKind::Experiments(_)
                | AttrKind::ActionReferences
                | AttrKind::Reference
        )
    }

    /// Whether the value must be a constant, so that a string in the JSON syntax is literal and not a template
    /// (terraform.md, section 9).
    pub const fn constant_in_json(&self) -> bool {
        matches!(
            self.kind,
            AttrKind::Constant
                | AttrKind::ConstBool
                | AttrKind::ConstText
                | AttrKind::ConstTextNotNull
                | AttrKind::Alias
                | AttrKind::Default
                | AttrKind::VersionConstraint(_)
                | AttrKind::ModuleSource { .. }
                | AttrKind::TestedModuleSource { .. }
                | AttrKind::RequiredVersion(_)
                | AttrKind::OwnVersion { .. }
        )
    }
}

described! {
    /// Whether an argument is required.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Required: word in "required" {
        /// The argument is optional.
        No = "no",
        /// The argument is required in primary files, but may be omitted in override files.
        InPrimary = "in-primary",
        /// The argument is required, also in override files.
        Always = "always",
        /// The argument is required in the merged block.
        AfterMerge = "after-merge",
    }
}

described! {
    /// How an argument's expression is read when a file is loaded.
    #[derive(Clone, Copy, Debug)]
    pub enum AttrKind: rule in "kind" {
        /// The value may be any expression.
        Any = "any",
        /// The value must be a constant: no names, no functions.
        Constant = "constant",
        /// The value must be a constant boolean.
        ConstBool = "constant-bool",
        /// The value must be a constant string.
        ConstText = "constant-text",
        /// The value must be a constant string, and must not be null.
        ConstTextNotNull = "constant-text-not-null",
        /// The value must be a constant string; if it is not constant, the block has no alias.
        Alias = "alias",
        /// The value must be a type constraint.
        TypeConstraint(form: TypeForm) = "type",
        /// The value is the default of a variable, and must be constant.
        Default = "default",
        /// The value is the type of a variable with plain values: one of three keywords.
        // variables.md, section B1.
        Hcl1Type = "plain-type",
        /// The value is the default of a variable with plain values: a string, list or map without interpolations, of
        /// the type that the block declares.
        Hcl1Default = "plain-default",
        /// The value must be a reference; the loader does not read it.
        Reference = "reference",
        /// The value must be a list of references to objects. `action`, if present, is the title of the error for an
        /// item that refers to an action.
        References {
            /// Title for an item that is an action; the item is dropped.
            action: Option<&'static str>,
        } = "references",
        /// The value must be a list of references, or the keyword `all`.
        IgnoreChanges = "ignore-changes",
        /// The value must be a list of references to resources.
        ReplaceTriggers = "replace-triggers",
        /// The value must be a reference to a provider configuration.
        ProviderReference = "provider",
        /// The value must be a map from provider configurations of the called module to provider configurations of the
        /// caller.
        ProviderMap = "providers",
        /// The value must be one of these keywords, without quotes or, in JSON, as a string; anything else is an error
        /// with this title.
        Keyword(words: KeywordRule) = "keyword",
        /// The value must be one of these keywords, without quotes or, in JSON, as a string.
        BareKeyword(words: KeywordRule) = "bare-keyword",
        /// The value must be a list of these keywords without quotes; anything else is an error with this title.
        Keywords(words: KeywordRule) = "keywords",
        /// The value is the language edition: one of these keywords, without quotes.
        Edition(words: &'static [&'static str]) = "edition",
        /// The value must be a list of experiments, which is checked according to `as`.
        Experiments(experiments as "as": ExperimentRule) = "experiments",
        /// The value must be a version constraint.
        VersionConstraint(of: VersionUse) = "version-constraint",
        /// The value is the source address of a module, and must be constant; with `checked`, it must be a valid
        /// address.
        ModuleSource {
            /// Whether the loader checks that the value is a valid address.
            checked: bool,
        } = "module-source",
        /// The value may be any expression; it is evaluated after the merge, from what is known without running the
        /// tool.
        Static(of as "for": StaticUse) = "static",
        /// The value must be the address of an object.
        Address(of: AddressUse) = "address",
        /// The value is a version constraint on the product itself; it produces an object according to the row `object`.
        RequiredVersion(object: &'static BlockSpec) = "required-version",
        /// The value is a version constraint on the product itself, which is checked against the selected version
        /// immediately. It is read only in files whose names end in one of `files`; if that list is empty, in all
        /// files.
        OwnVersion {
            /// Endings of the names of the files in which the argument is read; it is ignored in all others. Empty:
            /// every file.
            files: &'static [&'static str],
        } = "own-version",
        /// The value is accepted, but neither checked nor kept.
        Forgotten = "forgotten",
        /// The value must be a list of references to actions.
        ActionReferences = "action-references",
        /// The value is a condition.
        Condition = "condition",
        /// The value is the message of a condition.
        Message = "message",
        /// The value must be a plain value of this shape, with or without interpolations, and is not evaluated.
        Stored(shape: StoredShape) = "stored",
        /// The value must be a constant of this shape; an expression that is not constant is kept unchanged.
        Literal(shape: LiteralShape) = "literal",
        /// The name is reserved: the argument is an error with this title.
        Reserved(title: &'static str) = "reserved",
        /// The argument is not allowed here: an error with this title at its name.
        Refused(title: &'static str) = "refused",
        /// The argument is not allowed here: an error with this title at the header of the block.
        RefusedAtHeader(title: &'static str) = "refused-at-header",
        /// The argument is not allowed here: an error with this title at its value, which is not read.
        RefusedAtValue(title: &'static str) = "refused-at-value",
        /// The value must be one of these keywords, without quotes or, in JSON, as a string; anything else is an error
        /// at the whole argument.
        BareKeywordAtArgument(words: KeywordRule) = "bare-keyword-at-argument",
        /// The value is the source address of the module that a test runs: a local path or a registry address or, with
        /// `downloaded`, any other valid address. If there is also a version, it must be a registry address.
        TestedModuleSource {
            /// Whether modules are also downloaded from other sources.
            downloaded: bool,
        } = "tested-module-source",
        /// The value must be the address of something that a test overrides; the address of anything else is an error
        /// with this title.
        OverrideTarget {
            /// What may be overridden by the block.
            of: Overridden,
            /// Title for the address of anything else; the error is reported at the whole argument.
            title: &'static str,
        } = "override-target",
    }
}

described! {
    /// The purpose of a statically evaluated argument (opentofu.md, section 6).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum StaticUse: word in "for" {
        /// The argument is the source address of a module.
        ModuleSource = "module-source",
        /// The argument is the version constraint of a module.
        ModuleVersion = "module-version",
        /// The argument determines the instances of a provider configuration.
        Instances = "instances",
    }
}

described! {
    /// The required shape of a plain value. Strings may contain interpolations unless the variant excludes them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum StoredShape: rule in "shape" {
        /// The value must be a string, or a whole number, which is kept as written.
        Text = "stored-text",
        /// The value must be a string without interpolations, or a whole number, which is kept as written.
        Constant = "stored-constant",
        /// The value must be a version constraint in a string.
        Version = "stored-version",
        /// The value must be a whole number, or a string that contains one or has interpolations.
        Count = "stored-count",
        /// The value must be a list of strings without interpolations.
        Constants = "stored-constants",
        /// The value must be a list of strings.
        Texts = "stored-texts",
        /// The value must be true or false, or a string.
        TruthOrText = "stored-truth-or-text",
        /// The value must be a map of strings.
        TextMap = "stored-text-map",
        /// The value must be true or false, without quotes.
        Truth = "stored-truth",
        /// The value must be one of these strings; anything else is an error with this title.
        OneOf(words: KeywordRule) = "stored-one-of",
    }
}

described! {
    /// The required shape of a constant.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LiteralShape: rule in "shape" {
        /// The value must be a string, or convertible to one.
        Text = "text",
        /// The value must be a string; if it is not one of these in the merged block, it is an error with this title.
        OneOf(words: KeywordRule) = "one-of",
        /// The value must be a map or an object.
        Map = "map",
        /// The value must be a map whose values are strings, or convertible to strings.
        TextMap = "text-map",
        /// The value must be a list.
        List = "list",
    }
}

described! {
    /// How a version of the tool treats a list of experiments (terraform.md, section 10.2).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ExperimentRule: rule in "as" {
        /// Experiments in `active` are accepted with a warning; those in `concluded` are no longer available.
        Listed {
            /// Experiments that this version supports.
            active: &'static [&'static str],
            /// Experiments that are concluded.
            concluded: &'static [&'static str],
        } = "listed",
        /// The argument is an error unless `only` is among its items; experiments in `concluded` are no longer
        /// available.
        RefusedUnless {
            /// The item that makes the argument acceptable.
            only: &'static str,
            /// Experiments that are concluded.
            concluded: &'static [&'static str],
        } = "refused-unless",
        /// The argument is an error, even if the list is empty.
        Refused = "refused",
    }
}

described! {
    /// How a type constraint may be written.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum TypeForm: word in "form" {
        /// `optional()` is allowed, also with a default; `list` and `map` without an element type are allowed, too.
        WithLegacy = "with-legacy",
        /// `optional()` is allowed, but without a default; `list` and `map` without an element type are allowed.
        LegacyWithoutDefaults = "legacy-without-defaults",
        /// `optional()` is allowed, also with a default; quoted types are not allowed, and neither are `list` and `map`
        /// without an element type.
        Plain = "plain",
    }
}

/// A closed set of keywords.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeywordRule {
    /// The keywords.
    pub words: &'static [&'static str],
    /// Title for anything else.
    pub title: &'static str,
}

described! {
    /// What a version constraint applies to.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum VersionUse: word in "of" {
        /// The constraint is on the version of a module, and is allowed only with a registry address.
        Module = "module",
        /// The constraint is on the version of a provider, in a provider configuration; it is a warning.
        Provider = "provider",
    }
}

described! {
    /// What a block in a test file overrides.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Overridden: word in "of" {
        /// The block overrides a managed resource or an instance of one.
        Resource = "overridden-resource",
        /// The block overrides a data source or an instance of one.
        Data = "overridden-data",
        /// The block overrides a module or an instance of one.
        Module = "overridden-module",
    }
}

described! {
    /// Which addresses an argument accepts.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AddressUse: word in "of" {
        /// The address is one end of a move.
        Moved = "moved",
        /// The address is the target of an import.
        ImportTarget = "import-target",
        /// The address is the target of an import; its keys may be expressions.
        KeyedImportTarget = "keyed-import-target",
        /// The address is the target of an import; its keys may be expressions. It is not supported in JSON.
        KeyedImportTargetNotJson = "keyed-import-target-not-json",
        /// The address is that of an object or module that is no longer managed.
        Removed = "removed",
    }
}
