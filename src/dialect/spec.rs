//! The types that a dialect's table is made of: structs and closed enums, no logic.
//!
//! A table is written for all versions of a tool at once: each row says from which release it holds ([`When`]).
//! `registry` flattens a table for one version, so every stage sees only the rows that hold and no stage compares
//! version numbers. What no row can say becomes a new variant of one of the enums, named after the behaviour; the
//! compiler then points at the places that have to learn it.

mod arguments;
mod blocks;
mod checks;
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

/// What a dialect's merged module is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Elements, each with an address of its own.
    ByAddress,
    /// The list of all top-level blocks, known to the table or not, in order of declaration; one header may stand there
    /// any number of times, and nothing is required of a block but what its row says (tflint.md, sections 2 to 4).
    BlockList {
        /// Block types that `count` and `for_each` multiply where expansion is asked for.
        multiplied: &'static [&'static str],
    },
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

/// Behaviours that belong to no block type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The tool's own version is held against the merged constraints, when nothing else is wrong
    /// (terraform.md, section 1.5).
    RequiredVersionWhenClean,
    /// The same, whatever else is wrong.
    RequiredVersionAlways,
    /// An unmet constraint of [`AttrKind::OwnVersion`] hides every other diagnostic of the module.
    UnmetVersionHidesOthers,
    /// `&&` and `||` drop an error on one side when the other side decides the result.
    LogicShortCircuits,
    /// A constraint of the tool's version may not name a pre-release.
    RequiredVersionIsRelease,
    /// The tool's version constraints are looked up in a reading of their own (terraform.md, section 4; a wrong header
    /// is reported by every reading).
    VersionScan,
    /// Experiments and editions are looked up in a reading of their own.
    ExperimentScan,
    /// Elements of these two addresses exclude each other among the primary files: reported at the first one with this
    /// title, again for every primary file from there on.
    Exclude {
        /// Address at which it is reported.
        told: &'static str,
        /// The other.
        with: &'static str,
        /// Title.
        title: &'static str,
    },
    /// Two imports into one static target clash at the `to` expression.
    ImportsClashAtTarget,
    /// Two imports into one target clash at the header of the later one.
    ImportsClashAtHeader,
    /// An import into something that is moved away.
    ImportsClashWithMoves,
    /// One id for two targets of one type.
    ImportIdsClash,
    /// While files are read the tool stops at the first mistake, and it looks at the module as a whole only when there is
    /// none: what else is found is ours.
    StopsWhileReading,
    /// A second block of one address in one override file is not merged: it is added, and so a duplicate.
    SecondInOverrideIsAdded,
    /// Functions may have name spaces, `provider::name::fn()`.
    NamespacedFunctions,
    /// The native parser tells an open block at its brace when the file ends inside it.
    UnclosedBlocksAreNamed,
    /// Address forms of ephemeral objects are known.
    EphemeralAddresses,
    /// Address forms of actions are known.
    ActionAddresses,
    /// A module version needs a source that is a registry address.
    VersionNeedsRegistrySource,
    /// An output of a module in place of an action is reported alone, not also as a list without actions.
    ForeignActionAlone,
    /// The keys of import targets may be evaluated; only managed resources are targets.
    ComputedImportKeys,
    /// References know this word as they know `terraform`.
    ToolWord(&'static str),
    /// The tool's account of a module call says what its source and version come to.
    ModuleSourcesAreReported,
    /// In static evaluation the value of a variable has the declared type, with its defaults, and is marked as the variable
    /// is. Otherwise a given value is used as it came.
    StaticValuesAreConverted,
    /// In static evaluation a sensitive variable is used, with a warning at each reference.
    StaticSecretsWarn,
    /// A static module source is decoded in the same step that evaluates it: a malformed reference stops it before others are
    /// looked up, a fault met in evaluating it is also one of the value's type, and marks are not looked at.
    StaticSourcesDecodedAtOnce,
    /// Static sources and versions of modules are judged when modules are installed, later than this stage: what is wrong
    /// with them is ours. A variable takes part only where it is declared with `const = true`.
    StaticSourcesJudgedAtInstall,
    /// What the interpolations of plain texts refer to is looked up in the merged module.
    InterpolationsAreLookedUp,
    /// Without any error so far: providers that the module names in several ways are compared, and what disagrees is a
    /// warning (asked of the tool: `Duplicate required provider`, `Reference to undefined provider`).
    ProviderNamesAreCompared,
    /// Without any error so far: the name of a provider that the type of a resource or data source implies has to be a valid
    /// local name where the block names no provider (asked of the tool: `Invalid provider local name`).
    ImpliedProvidersAreNamed,
    /// A module version that comes to null counts as absent.
    NullVersionIsNone,
    /// Every fault of a provider's `for_each` is reported, also that a value which could not be evaluated is none.
    InstanceFaultsAddUp,
    /// An expression that cannot be evaluated where a constant is needed is not also reported to be of an unsuitable type.
    FailedConstantsReportedOnce,
    /// Addresses of moved, import and removed blocks have no reserved words beside `module`, `data` and `ephemeral`, and
    /// do not know `resource.TYPE.NAME`.
    FewAddressWords,
    /// A reference to a provider configuration may end in the key of an instance.
    ProviderInstanceKeys,
    /// In JSON the text of a reference to a provider configuration is an expression of the native syntax.
    ProviderTextsAreExpressions,
    /// A mistake in one item of `replace_triggered_by` leaves the others to be judged, except in JSON.
    TriggersJudgedOneByOne,
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
