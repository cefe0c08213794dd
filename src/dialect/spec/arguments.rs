//! Rows of arguments: how an expression is read when a file is loaded.

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

/// Whether an argument has to be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Required {
    /// No.
    No,
    /// In primary files; an override may leave it out.
    InPrimary,
    /// In override files too.
    Always,
    /// In the merged block.
    AfterMerge,
}

/// How an argument's expression is read when a file is loaded.
#[derive(Clone, Copy, Debug)]
pub enum AttrKind {
    /// Kept as an expression, not looked at.
    Any,
    /// A constant boolean.
    ConstBool,
    /// A constant text.
    ConstText,
    /// A constant text that is not null (`deprecated`).
    ConstTextNotNull,
    /// A constant text; one that is not constant counts as none (`alias`).
    Alias,
    /// A type constraint.
    TypeConstraint(TypeForm),
    /// A variable's default: a constant.
    Default,
    /// The type of a variable whose values are plain: one of three words (variables.md, section B1).
    Hcl1Type,
    /// The default of such a variable: texts, lists and maps without interpolations, of the type that the block declares.
    Hcl1Default,
    /// A list of references to objects (`depends_on`).
    References {
        /// Title for an item that is an action: the item is dropped.
        action: Option<&'static str>,
    },
    /// A list of references, or `all`.
    IgnoreChanges,
    /// A list of references to resources (`replace_triggered_by`).
    ReplaceTriggers,
    /// One provider configuration.
    ProviderReference,
    /// A map from local provider configurations to those of the caller.
    ProviderMap,
    /// One of these bare words, or the same as text in JSON.
    Keyword(KeywordRule),
    /// One of these words, bare or in JSON as text; in quotes it is no word.
    BareKeyword(KeywordRule),
    /// A list of bare words (`events`).
    Keywords(KeywordRule),
    /// A language edition: one of these bare words.
    Edition(&'static [&'static str]),
    /// Experiment keywords.
    Experiments(ExperimentRule),
    /// A version constraint.
    VersionConstraint(VersionUse),
    /// A module's source address.
    ModuleSource {
        /// Whether the loader checks that it is an address.
        checked: bool,
    },
    /// Kept as an expression, and evaluated after the merge from what is known without running anything.
    Static(StaticUse),
    /// The address of an object.
    Address(AddressUse),
    /// A version constraint of the tool itself; makes an element by this row.
    RequiredVersion(&'static BlockSpec),
    /// A version constraint of the tool itself, held against the version that is followed where it stands, whatever
    /// other files say; makes no element.
    OwnVersion {
        /// Read only in files whose names end so, elsewhere not looked at; empty: in every file.
        files: &'static [&'static str],
    },
    /// Accepted, not looked at and not kept.
    Forgotten,
    /// A list of references to actions.
    ActionReferences,
    /// A condition: has to refer to something.
    Condition,
    /// The message of a condition.
    Message,
    /// A plain value (the HCL 1 has no other) of this shape.
    Stored(StoredShape),
    /// A value of this shape where the expression is a constant; any other expression is kept unread.
    Literal(LiteralShape),
    /// The argument is reserved: this title, at its name.
    Reserved(&'static str),
    /// The argument may not stand here: this title, at its name; the others stay.
    Refused(&'static str),
    /// The same, but at the header of the block that holds the argument, once for each argument.
    RefusedAtHeader(&'static str),
    /// The same, but at its value, which is not read.
    RefusedAtValue(&'static str),
    /// A bare keyword; anything else is reported at the whole argument.
    BareKeywordAtArgument(KeywordRule),
    /// The source address of the module that a test runs, reported at the whole argument: of a registry where a version
    /// stands beside it.
    TestedModuleSource {
        /// Whether modules are also downloaded from elsewhere.
        downloaded: bool,
    },
    /// The address of what a test overrides.
    OverrideTarget {
        /// What may be overridden here.
        of: Overridden,
        /// Title for the address of anything else, reported at the whole argument.
        title: &'static str,
    },
}

/// What a statically evaluated argument is for (opentofu.md, section 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticUse {
    /// A module's source address.
    ModuleSource,
    /// The version constraint of a module.
    ModuleVersion,
    /// The instances of a provider configuration.
    Instances,
}

/// What a plain value has to be. Texts may hold interpolations unless it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredShape {
    /// A text, or a whole number, which counts as written.
    Text,
    /// The same without interpolations.
    Constant,
    /// A version constraint as a constant text.
    Version,
    /// A text that is a whole number, or holds interpolations.
    Count,
    /// A list of constant texts.
    Constants,
    /// A list of texts.
    Texts,
    /// `true` or `false`, or a text.
    TruthOrText,
    /// A map of texts.
    TextMap,
    /// `true` or `false`, not in quotes.
    Truth,
    /// One of these texts.
    OneOf(KeywordRule),
}

/// What a constant has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralShape {
    /// A text, or what converts to one.
    Text,
    /// A text. In the merged block one of these.
    OneOf(KeywordRule),
    /// A map or an object.
    Map,
    /// A map of texts, or of what converts to them.
    TextMap,
    /// A list.
    List,
}

/// What a version makes of a list of experiments (terraform.md, section 10.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExperimentRule {
    /// Each item is judged; active ones work, with a warning.
    Listed {
        /// Experiments of this version.
        active: &'static [&'static str],
        /// Experiments that are over.
        concluded: &'static [&'static str],
    },
    /// The argument is refused, unless `only` is among its items: then each item is judged.
    RefusedUnless {
        /// The item.
        only: &'static str,
        /// Experiments that are over.
        concluded: &'static [&'static str],
    },
    /// The argument is refused, an empty list too.
    Refused,
}

/// How a type constraint may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeForm {
    /// With the old quoted texts and bare `list`, `map` (variables).
    WithLegacy,
    /// The same, but `optional()` takes no default.
    LegacyWithoutDefaults,
    /// Plain (outputs).
    Plain,
}

/// A closed set of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeywordRule {
    /// The words.
    pub words: &'static [&'static str],
    /// Title for anything else.
    pub title: &'static str,
}

/// Where a version constraint stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionUse {
    /// In a module call: only beside a registry address.
    Module,
    /// In a provider configuration: warns.
    Provider,
}

/// What a block of a test file overrides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overridden {
    /// A managed resource, or an instance of one.
    Resource,
    /// A data source, or an instance of one.
    Data,
    /// A module, or an instance of one.
    Module,
}

/// Which addresses an argument takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressUse {
    /// `moved.from`, `moved.to`.
    Moved,
    /// `import.to`.
    ImportTarget,
    /// `import.to` of resources of every mode, whose keys may be evaluated.
    KeyedImportTarget {
        /// In JSON a text is read as an expression; otherwise no JSON value can be read.
        in_json: bool,
    },
    /// `removed.from`.
    Removed,
}
