//! Rows of arguments: how an expression is read when a file is loaded.

use super::described::described;
use super::{AttrMerge, BlockSpec, When};

/// One argument of a block type.
#[derive(Clone, Copy, Debug)]
pub struct AttrSpec {
    /// The name as written.
    pub name: &'static str,
    /// In which releases the row holds.
    pub when: When,
    /// Whether it has to be there.
    pub required: Required,
    /// How its expression is read.
    pub kind: AttrKind,
    /// What one in an override does to the base's.
    pub merge: AttrMerge,
}

impl AttrSpec {
    /// An optional argument of any expression, replaced by an override.
    pub const fn new(name: &'static str, kind: AttrKind) -> Self {
        Self { name, when: When::ALWAYS, required: Required::No, kind, merge: AttrMerge::Replace }
    }

    /// Only in these releases.
    #[must_use]
    pub const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// It has to be there.
    #[must_use]
    pub const fn required(self, required: Required) -> Self {
        Self { required, ..self }
    }

    /// What one in an override does.
    #[must_use]
    pub const fn merge(self, merge: AttrMerge) -> Self {
        Self { merge, ..self }
    }

    /// Whether JSON syntax wants it as bare text, without `${…}`: references, type constraints, addresses, keywords
    /// (terraform.md, section 9).
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
        )
    }

    /// Whether a constant is wanted, so that a string of the JSON syntax stands for itself and is no template
    /// (terraform.md, section 9).
    pub const fn constant_in_json(&self) -> bool {
        matches!(
            self.kind,
            AttrKind::ConstBool
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
    /// Whether an argument has to be there.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Required: word in "required" {
        /// It is optional.
        No = "no",
        /// It is required in primary files; an override may omit it.
        InPrimary = "in-primary",
        /// It is required, also in override files.
        Always = "always",
        /// It is required in the merged block.
        AfterMerge = "after-merge",
    }
}

described! {
    /// How an argument's expression is read when a file is loaded.
    #[derive(Clone, Copy, Debug)]
    pub enum AttrKind: rule in "kind" {
        /// Any expression.
        Any = "any",
        /// A constant boolean.
        ConstBool = "constant-bool",
        /// A constant string.
        ConstText = "constant-text",
        /// A constant string that is not null.
        ConstTextNotNull = "constant-text-not-null",
        /// A constant string; if it is not a constant, there is no alias.
        Alias = "alias",
        /// A type constraint.
        TypeConstraint(form: TypeForm) = "type",
        /// The default of a variable, which is a constant.
        Default = "default",
        /// The type of a variable whose values are plain: one of three keywords.
        // variables.md, section B1.
        Hcl1Type = "plain-type",
        /// The default of such a variable: strings, lists and maps without interpolations, of the type that the block
        /// declares.
        Hcl1Default = "plain-default",
        /// A list of references to objects. `action` is the title for an item that is an action.
        References {
            /// Title for an item that is an action: the item is dropped.
            action: Option<&'static str>,
        } = "references",
        /// A list of references, or the keyword all.
        IgnoreChanges = "ignore-changes",
        /// A list of references to resources.
        ReplaceTriggers = "replace-triggers",
        /// A reference to a provider configuration.
        ProviderReference = "provider",
        /// A map from provider configurations of the called module to those of the caller.
        ProviderMap = "providers",
        /// One of these keywords without quotes, in JSON as a string; otherwise an error with this title.
        Keyword(words: KeywordRule) = "keyword",
        /// One of these keywords, without quotes, in JSON as a string.
        BareKeyword(words: KeywordRule) = "bare-keyword",
        /// A list of these keywords without quotes; anything else is an error with this title.
        Keywords(words: KeywordRule) = "keywords",
        /// The language edition: one of these keywords without quotes.
        Edition(words: &'static [&'static str]) = "edition",
        /// A list of experiments, checked as `as` says.
        Experiments(experiments as "as": ExperimentRule) = "experiments",
        /// A version constraint.
        VersionConstraint(of: VersionUse) = "version-constraint",
        /// The source address of a module, a constant; with `checked`, it must be a valid address.
        ModuleSource {
            /// Whether the loader checks that it is an address.
            checked: bool,
        } = "module-source",
        /// Any expression; evaluated after the merge from what is known without running the tool.
        Static(of as "for": StaticUse) = "static",
        /// The address of an object.
        Address(of: AddressUse) = "address",
        /// A version constraint on the tool itself; produces an object according to the row `object`.
        RequiredVersion(object: &'static BlockSpec) = "required-version",
        /// A version constraint on the tool itself, checked against the selected version immediately. Read in files
        /// whose names end as in `files`; if that is empty, in all files.
        OwnVersion {
            /// Read only in files whose names end so, elsewhere not looked at; empty: in every file.
            files: &'static [&'static str],
        } = "own-version",
        /// Accepted, but neither checked nor kept.
        Forgotten = "forgotten",
        /// A list of references to actions.
        ActionReferences = "action-references",
        /// A condition.
        Condition = "condition",
        /// The message of a condition.
        Message = "message",
        /// A plain value of this shape, with or without interpolations, which is not evaluated.
        Stored(shape: StoredShape) = "stored",
        /// A constant of this shape; an expression that is not constant is kept unchanged.
        Literal(shape: LiteralShape) = "literal",
        /// The name is reserved: an error with this title.
        Reserved(title: &'static str) = "reserved",
        /// The argument is not allowed here: an error with this title at its name.
        Refused(title: &'static str) = "refused",
        /// The argument is not allowed here: an error with this title at the header of the block.
        RefusedAtHeader(title: &'static str) = "refused-at-header",
        /// The argument is not allowed here: an error with this title at its value, which is not read.
        RefusedAtValue(title: &'static str) = "refused-at-value",
        /// One of these keywords, without quotes, in JSON as a string; anything else is an error at the whole
        /// argument.
        BareKeywordAtArgument(words: KeywordRule) = "bare-keyword-at-argument",
        /// The source address of the module that a test runs: a local path or a registry address, and with
        /// `downloaded` any other valid address. Next to a version, a registry address.
        TestedModuleSource {
            /// Whether modules are also downloaded from elsewhere.
            downloaded: bool,
        } = "tested-module-source",
        /// The address of what a test overrides; one of something else is an error with this title.
        OverrideTarget {
            /// What may be overridden here.
            of: Overridden,
            /// Title for the address of anything else, reported at the whole argument.
            title: &'static str,
        } = "override-target",
    }
}

described! {
    /// What a statically evaluated argument is for (opentofu.md, section 6).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum StaticUse: word in "for" {
        /// The source address of a module.
        ModuleSource = "module-source",
        /// The version constraint of a module.
        ModuleVersion = "module-version",
        /// The instances of a provider configuration.
        Instances = "instances",
    }
}

described! {
    /// What a plain value has to be. Texts may hold interpolations unless it is said.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum StoredShape: rule in "shape" {
        /// A string, or a whole number as written.
        Text = "stored-text",
        /// A string without interpolations, or a whole number as written.
        Constant = "stored-constant",
        /// A version constraint as a string.
        Version = "stored-version",
        /// A whole number, or a string that contains one or has interpolations.
        Count = "stored-count",
        /// A list of strings without interpolations.
        Constants = "stored-constants",
        /// A list of strings.
        Texts = "stored-texts",
        /// true or false, or a string.
        TruthOrText = "stored-truth-or-text",
        /// A map of strings.
        TextMap = "stored-text-map",
        /// true or false, without quotes.
        Truth = "stored-truth",
        /// One of these strings; otherwise an error with this title.
        OneOf(words: KeywordRule) = "stored-one-of",
    }
}

described! {
    /// What a constant has to be.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LiteralShape: rule in "shape" {
        /// A string, or a value that can be converted to one.
        Text = "text",
        /// A string; in the merged block it must be one of these, otherwise it is an error with this title.
        OneOf(words: KeywordRule) = "one-of",
        /// A map or an object.
        Map = "map",
        /// A map of strings, or of values that can be converted to strings.
        TextMap = "text-map",
        /// A list.
        List = "list",
    }
}

described! {
    /// What a version makes of a list of experiments (terraform.md, section 10.2).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ExperimentRule: rule in "as" {
        /// Those in `active` are accepted with a warning; those in `concluded` are no longer available.
        Listed {
            /// Experiments of this version.
            active: &'static [&'static str],
            /// Experiments that are over.
            concluded: &'static [&'static str],
        } = "listed",
        /// The argument is an error unless `only` is among its items.
        RefusedUnless {
            /// The item.
            only: &'static str,
            /// Experiments that are over.
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
        /// With `optional()` and its defaults, and with bare list and map.
        WithLegacy = "with-legacy",
        /// With `optional()` without defaults, and with bare list and map.
        LegacyWithoutDefaults = "legacy-without-defaults",
        /// Without `optional()`.
        Plain = "plain",
    }
}

/// A closed set of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeywordRule {
    /// The words.
    pub words: &'static [&'static str],
    /// Title for anything else.
    pub title: &'static str,
}

described! {
    /// Where a version constraint stands.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum VersionUse: word in "of" {
        /// Of a module: allowed only with a registry address.
        Module = "module",
        /// Of a provider configuration: a warning.
        Provider = "provider",
    }
}

described! {
    /// What a block of a test file overrides.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Overridden: word in "of" {
        /// A managed resource or an instance of one.
        Resource = "overridden-resource",
        /// A data source or an instance of one.
        Data = "overridden-data",
        /// A module or an instance of one.
        Module = "overridden-module",
    }
}

described! {
    /// Which addresses an argument takes.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AddressUse: word in "of" {
        /// An end of a move.
        Moved = "moved",
        /// The target of an import.
        ImportTarget = "import-target",
        /// The target of an import, whose keys may be expressions.
        KeyedImportTarget = "keyed-import-target",
        /// The target of an import, whose keys may be expressions; not supported in JSON.
        KeyedImportTargetNotJson = "keyed-import-target-not-json",
        /// What is no longer managed.
        Removed = "removed",
    }
}
