//! The types that a dialect's table is made of: structs and closed enums, no logic.
//!
//! A table is written for all versions of a tool at once: each row says from which release it holds ([`When`]).
//! `registry` flattens a table for one version, so every stage sees only the rows that hold and no stage compares
//! version numbers. What no row can say becomes a new variant of one of the enums, named after the behaviour; the
//! compiler then points at the places that have to learn it.

mod arguments;
mod blocks;
mod checks;
pub(super) mod described;
mod files;
mod merging;

use super::variables::VariableRules;
use crate::syntax::Grammar;
pub use arguments::{
    AddressUse, AttrKind, AttrSpec, ExperimentRule, KeywordRule, LiteralShape, Overridden, Required, StaticUse,
    StoredShape, TypeForm, VersionUse,
};
pub use blocks::{AddressRule, BlockSpec, BodyRule, ExtraLabels, KindRow, Kinds, LabelSpec, NestedRule};
pub use checks::{Among, BlankPlace, Check, CheckRow, ClashPlace, Identity};
use described::described;
pub use described::{Described, Description, Given};
pub use files::{FileRules, FileSyntax, NamedFile, SuffixRow, SuffixUse, TestRules, ValuesName, ValuesRow};
pub use merging::{AttrMerge, Keeps, ListRule, Missing, OverrideRule, Repeat};

/// A release of a tool. A release candidate counts as its release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Release(pub u16, pub u16, pub u16);

/// The releases in which a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// First release with it.
    pub since: Release,
    /// First release without it again.
    pub until: Option<Release>,
}

impl When {
    /// Every release.
    pub const ALWAYS: Self = Self { since: Release(0, 0, 0), until: None };

    /// From this release on.
    pub const fn since(major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Release(major, minor, patch), until: None }
    }

    /// Up to, not including, this release.
    pub const fn until(major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Release(0, 0, 0), until: Some(Release(major, minor, patch)) }
    }

    /// The same start, but up to, not including, this release.
    #[must_use]
    pub const fn but_until(self, major: u16, minor: u16, patch: u16) -> Self {
        Self { since: self.since, until: Some(Release(major, minor, patch)) }
    }

    /// Whether the row holds in `release`.
    pub fn holds(self, release: Release) -> bool {
        self.since <= release && self.until.is_none_or(|until| release < until)
    }
}

/// A dialect's table for one version of the tool.
#[derive(Clone, Copy, Debug)]
pub struct DialectSpec {
    /// The dialect's name as requests write it.
    pub name: &'static str,
    /// The version that is followed, in full: `1.11.4`.
    pub version: &'static str,
    /// Which files make a module.
    pub files: FileRules,
    /// How input variables get their values.
    pub variables: VariableRules,
    /// What the merged module is.
    pub view: View,
    /// Top-level block types.
    pub blocks: &'static [BlockSpec],
    /// Behaviours of the module as a whole.
    pub rules: &'static [RuleRow],
    /// Titles that differ from those of the code or row.
    pub titles: &'static [TitleRow],
    /// What the document leaves open or only lets one infer, and what is done here: a sentence each.
    pub decisions: &'static [&'static str],
}

described! {
    /// What a dialect's merged module is.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum View: rule in "view" {
        /// Objects, each with its own address.
        ByAddress = "by-address",
        /// The list of all top-level blocks in order of declaration; a header may occur any number of times. Blocks of
        /// the types in `multiplied` are repeated by count and `for_each` if expansion is requested.
        // tflint.md, sections 2 to 4.
        BlockList {
            /// Block types that `count` and `for_each` multiply where expansion is asked for.
            multiplied: &'static [&'static str],
        } = "block-list",
    }
}

/// Why a file of this name is left alone by every tool: hidden files and backups of editors.
pub fn why_passed_over(name: &str) -> Option<&'static str> {
    if name.starts_with('.') {
        Some("hidden file")
    } else if name.ends_with('~') || (name.starts_with('#') && name.ends_with('#')) {
        Some("editor's backup file")
    } else {
        None
    }
}

/// A behaviour of the module as a whole, and when it holds.
#[derive(Clone, Copy, Debug)]
pub struct RuleRow {
    /// The behaviour.
    pub rule: Rule,
    /// In which releases.
    pub when: When,
}

described! {
    /// Behaviours that belong to no block type.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Rule: rule in "rules" {
        /// The tool's own version is checked against the merged constraints, if there are no other errors.
        // The tool's own version is held against the merged constraints, when nothing else is wrong (terraform.md,
        // section 1, step 5).
        RequiredVersionWhenClean = "required-version-when-clean",
        /// The tool's own version is checked against the merged constraints, even if there are other errors.
        RequiredVersionAlways = "required-version-always",
        /// An unmet constraint in an argument of the kind own-version hides all other diagnostics of the module.
        UnmetVersionHidesOthers = "unmet-version-hides-others",
        /// && and || drop an error on one side if the other side decides the result.
        LogicShortCircuits = "logic-short-circuits",
        /// A constraint on the tool's version must not contain a pre-release.
        RequiredVersionIsRelease = "required-version-is-release",
        /// The tool's version constraints are read in a separate pass.
        // The tool's version constraints are looked up in a reading of their own (terraform.md, section 4: a wrong
        // header is reported by every reading).
        VersionScan = "version-scan",
        /// Experiments and editions are read in a separate pass.
        // Experiments and editions are looked up in a reading of their own.
        ExperimentScan = "experiment-scan",
        /// Objects with the addresses `told` and `other` are mutually exclusive in primary files; the error is
        /// reported at `told`.
        // Elements of these two addresses exclude each other among the primary files: reported at the first one with
        // this title, again for every primary file from there on.
        Exclude {
            /// Address at which it is reported.
            told: &'static str,
            /// The other.
            with as "other": &'static str,
            /// Title.
            title: &'static str,
        } = "exclude",
        /// Two imports into one static target are an error, reported at the target expression.
        ImportsClashAtTarget = "imports-clash-at-target",
        /// Two imports into one target are an error, reported at the header of the later one.
        ImportsClashAtHeader = "imports-clash-at-header",
        /// An object that is moved away cannot be the target of an import.
        ImportsClashWithMoves = "imports-clash-with-moves",
        /// An id cannot be imported into two targets of the same type.
        ImportIdsClash = "import-ids-clash",
        /// While reading files, the tool stops at the first error, and it checks the module as a whole only if there
        /// is none; anything reported beyond that is reported by this service alone.
        StopsWhileReading = "stops-while-reading",
        /// A second block with the same address in one override file is added instead of merged, and is therefore a
        /// duplicate.
        SecondInOverrideIsAdded = "second-in-override-is-added",
        /// Function names may have namespaces: `provider::name::fn()`.
        NamespacedFunctions = "namespaced-functions",
        /// If a file ends inside a block, the error is reported at the opening brace of the block.
        UnclosedBlocksAreNamed = "unclosed-blocks-are-named",
        /// Addresses of ephemeral objects are supported.
        EphemeralAddresses = "ephemeral-addresses",
        /// Addresses of actions are supported.
        ActionAddresses = "action-addresses",
        /// The version of a module requires a source that is a registry address.
        VersionNeedsRegistrySource = "version-needs-registry-source",
        /// An output of a module in place of an action is reported only once, not also as a list without actions.
        ForeignActionAlone = "foreign-action-alone",
        /// The keys of import targets may be expressions; only managed resources can be targets.
        ComputedImportKeys = "computed-import-keys",
        /// References may also begin with this word.
        // References know this word as they know `terraform`.
        ToolWord(word: &'static str) = "tool-word",
        /// The tool's output about a module call contains the values of its source and version.
        ModuleSourcesAreReported = "module-sources-are-told",
        /// Static evaluation uses the values of variables converted to their declared types; otherwise as they were
        /// provided.
        // In static evaluation the value of a variable has the declared type, with its defaults, and is marked as the
        // variable is. Otherwise a given value is used as it came.
        StaticValuesAreConverted = "static-values-are-converted",
        /// A sensitive variable may be used in static evaluation, with a warning at each reference.
        StaticSecretsWarn = "static-secrets-warn",
        /// A module source is evaluated and decoded in one step, so a malformed reference is reported first.
        // A static module source is decoded in the same step that evaluates it: a malformed reference stops it before
        // others are looked up, a fault met in evaluating it is also one of the value's type, and marks are not looked
        // at.
        StaticSourcesDecodedAtOnce = "static-sources-decoded-at-once",
        /// Static sources and versions of modules are checked when modules are installed, so problems with them are
        /// reported with origin overfold. A variable takes part only where it is declared with `const = true`.
        StaticSourcesJudgedAtInstall = "static-sources-judged-at-install",
        /// Variables, modules and resources that interpolations refer to must exist in the merged module.
        InterpolationsAreLookedUp = "interpolations-are-looked-up",
        /// If there are no errors, providers that the module refers to by several names are compared; a mismatch is a
        /// warning.
        // Without any error so far: providers that the module names in several ways are compared, and what disagrees
        // is a warning (asked of the tool: `Duplicate required provider`, `Reference to undefined provider`).
        ProviderNamesAreCompared = "provider-names-are-compared",
        /// If there are no errors, the first part of the type of a resource or data source without the argument
        /// provider must be a valid local name of a provider.
        // Without any error so far: the name of a provider that the type of a resource or data source implies has to
        // be a valid local name where the block names no provider (asked of the tool: `Invalid provider local name`).
        ImpliedProvidersAreNamed = "implied-providers-are-named",
        /// A module version whose value is null is treated as absent.
        NullVersionIsNone = "null-version-is-none",
        /// Every problem in the `for_each` of a provider is reported.
        // Every fault of a provider's `for_each` is reported, also that a value which could not be evaluated is none.
        InstanceFaultsAddUp = "instance-faults-add-up",
        /// An expression that cannot be evaluated where a constant is required is not also reported as having an
        /// unsuitable type.
        FailedConstantsReportedOnce = "failed-constants-told-once",
        /// In addresses of moved, import and removed blocks, the only reserved words are module, data and ephemeral,
        /// and `resource.TYPE.NAME` is not supported.
        FewAddressWords = "few-address-words",
        /// A reference to a provider configuration may end with an instance key.
        ProviderInstanceKeys = "provider-instance-keys",
        /// In JSON, a string that refers to a provider configuration is parsed as an expression of the native syntax.
        ProviderTextsAreExpressions = "provider-texts-are-expressions",
        /// After an error in one item of `replace_triggered_by` the other items are still checked, except in JSON.
        TriggersJudgedOneByOne = "triggers-judged-one-by-one",
    }
}

/// A title that differs from the one of the code or row.
#[derive(Clone, Copy, Debug)]
pub struct TitleRow {
    /// Id of the code: the same title may be said by two stages and change in one.
    pub code: &'static str,
    /// The title that it replaces.
    pub title: &'static str,
    /// What is said instead.
    pub says: &'static str,
    /// In which releases.
    pub when: When,
}

impl DialectSpec {
    /// The row of a top-level block type.
    pub fn block(&self, keyword: &str) -> Option<&'static BlockSpec> {
        self.blocks.iter().find(|row| row.keyword == keyword)
    }

    /// Whether the behaviour holds.
    pub fn has(&self, rule: Rule) -> bool {
        self.rules.iter().any(|row| row.rule == rule)
    }

    /// Whether configuration files are of HCL 1.
    pub fn reads_hcl1(&self) -> bool {
        self.files.suffixes.iter().any(|row| row.syntax == FileSyntax::Hcl1)
    }

    /// The native grammar.
    pub fn grammar(&self) -> Grammar {
        Grammar {
            namespaced_calls: self.has(Rule::NamespacedFunctions),
            end_is_named: self.has(Rule::UnclosedBlocksAreNamed),
        }
    }

    /// The words in which this version says `title` under the code.
    pub fn title(&self, code: &str, title: &'static str) -> &'static str {
        self.titles.iter().find(|row| row.code == code && row.title == title).map_or(title, |row| row.says)
    }
}
