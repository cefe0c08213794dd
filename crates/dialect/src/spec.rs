//! Types of the dialect tables: structs and closed enums, without logic.
//!
//! One table covers all versions of a tool: each row names the releases in which it holds ([`When`]). `registry`
//! flattens a table for one version, so every stage sees only the rows that hold, and no stage compares version
//! numbers. A behaviour that no row can express becomes a new variant of one of the enums, named after the behaviour;
//! the compiler then points to the places that have to handle it.

mod arguments;
mod blocks;
mod builtins;
mod checks;
pub(super) mod described;
mod files;
mod kind;
mod merging;
mod rules;

use super::behaviours::{Behaviour, Behaviours};
use super::variables::VariableRules;
pub use arguments::{
    AddressUse, AttrKind, AttrSpec, ExperimentRule, KeywordRule, LiteralShape, Overridden, Required, StaticUse,
    StoredShape, TypeForm, VersionUse,
};
pub use blocks::{AddressRule, BlockSpec, BodyRule, ExtraLabels, KindRow, Kinds, LabelSpec, NestedRule};
pub use builtins::{BuiltinKind, BuiltinRow};
pub use checks::{
    BlankPlace, BlockTrait, BodyCheck, Check, CheckRow, ClashPlace, CleanCheck, HeaderCheck, Identity, MergedCheck,
    MissingCheck, NestedCheck, OwnVersionHolder, Traits, UniqueWithin, WholeCheck,
};
use described::described;
pub use described::{Described, Description, ParameterValue};
pub use files::{
    FileRules, FileSyntax, MockRules, NamedFile, SuffixRow, SuffixUse, TestRules, ValuesName, ValuesRow,
};
pub use kind::ObjectKind;
pub use merging::{AttrMerge, DuplicatePolicy, ListRule, Missing, OverrideRule, Repeat};
use overfold_syntax::Grammar;

pub use rules::{
    EarlyEval, EarlyEvalRule, Exclusion, ExpressionRule, Expressions, ImportRule, Imports, ModuleRule, Modules,
    ProviderRule, Providers, Reading, ReadingRule, ReferenceRule, References, RemovalRule, Removals, RequiredVersion,
    RequiredVersionRule, Rule, RuleRow, Rules, TriggerRule, Triggers,
};

/// A release of a tool. A release candidate is treated as the release it leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Release(pub u16, pub u16, pub u16);

/// The releases in which a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// The first release with the row.
    pub since: Release,
    /// The first later release without the row.
    pub until: Option<Release>,
}

impl When {
    /// All releases.
    pub const ALWAYS: Self = Self { since: Release(0, 0, 0), until: None };

    /// Creates the range of all releases from this one on.
    pub const fn since(major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Release(major, minor, patch), until: None }
    }

    /// Creates the range of all releases before this one.
    pub const fn until(major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Release(0, 0, 0), until: Some(Release(major, minor, patch)) }
    }

    /// Limits the range to releases before this one.
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
    /// The dialect's name, as used in requests.
    pub name: &'static str,
    /// The tool's name as people write it.
    pub tool: &'static str,
    /// The command that looks for further problems in a module that has been loaded, as people type it; `None` if what it
    /// reports is not followed, or there is none.
    pub validate: Option<&'static str>,
    /// The tool version whose behaviour is followed, in full: `1.11.4`.
    pub version: &'static str,
    /// The name of the file in which a repository names the version of the tool; `None` if there is no such custom.
    pub version_file: Option<&'static str>,
    /// Which files make up a module.
    pub files: FileRules,
    /// How input variables get their values.
    pub variables: VariableRules,
    /// The form of the merged module.
    pub view: View,
    /// Rows of the top-level block types.
    pub blocks: &'static [BlockSpec],
    /// Rows of the behaviours of the module as a whole.
    pub rule_rows: &'static [RuleRow],
    /// The behaviours that hold according to `rule_rows`; filled in when the table is flattened.
    pub rules: Rules,
    /// What this version does and others do not; filled in when the table is flattened.
    pub behaviours: Behaviours,
    /// Rows of the names that are built into the tool.
    pub builtins: &'static [BuiltinRow],
    /// Titles that differ from the title of the code or row.
    pub titles: &'static [TitleRow],
    /// Decisions about rules that the tool's documents leave open or only imply: one sentence each.
    pub decisions: &'static [&'static str],
}

described! {
    /// The form of a dialect's merged module.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum View: rule in "view" {
        /// The module is a set of objects, each with its own address.
        ByAddress = "by-address",
        /// The module is a list of all top-level blocks in order of declaration; blocks with the same type and labels
        /// may occur any number of times. If expansion is requested, blocks of the types in `multiplied` are repeated
        /// by `count` and `for_each`.
        // tflint.md, sections 2 to 4.
        BlockList {
            /// Block types that `count` and `for_each` repeat when expansion is requested.
            multiplied: &'static [&'static str],
        } = "block-list",
    }
}

/// Returns why every tool ignores a file of this name (a hidden file or an editor's backup), or `None` if it does not.
pub fn why_ignored(name: &str) -> Option<&'static str> {
    if name.starts_with('.') {
        Some("hidden file")
    } else if name.ends_with('~') || (name.starts_with('#') && name.ends_with('#')) {
        Some("editor's backup file")
    } else {
        None
    }
}

/// A title that replaces the title of a code or row.
#[derive(Clone, Copy, Debug)]
pub struct TitleRow {
    /// Id of the diagnostic code. Two stages may use the same title, and it may be replaced in only one of them.
    pub code: &'static str,
    /// The title that is replaced.
    pub title: &'static str,
    /// The title that replaces it.
    pub says: &'static str,
    /// The releases in which it is replaced.
    pub when: When,
}

impl DialectSpec {
    /// Whether this version does something that others do not.
    pub fn has(&self, behaviour: Behaviour) -> bool {
        self.behaviours.has(behaviour)
    }

    /// Returns the row of a top-level block type.
    pub fn block(&self, keyword: &str) -> Option<&'static BlockSpec> {
        self.blocks.iter().find(|row| row.keyword == keyword)
    }

    /// Whether configuration files are written in HCL 1.
    pub fn reads_hcl1(&self) -> bool {
        self.files.suffixes.iter().any(|row| row.syntax == FileSyntax::Hcl1)
    }

    /// Returns the grammar of the native syntax.
    pub fn grammar(&self) -> Grammar {
        Grammar {
            namespaced_calls: self.rules.expressions.namespaced_functions,
            reports_open_construct_at_end: self.rules.reading.unclosed_blocks_are_named,
        }
    }

    /// Returns the title that this version uses in place of `title` under the code.
    pub fn title(&self, code: &str, title: &'static str) -> &'static str {
        self.titles.iter().find(|row| row.code == code && row.title == title).map_or(title, |row| row.says)
    }
}
