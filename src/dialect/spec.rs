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
mod rules;

use super::variables::VariableRules;
use crate::syntax::Grammar;
pub use arguments::{
    AddressUse, AttrKind, AttrSpec, ExperimentRule, KeywordRule, LiteralShape, Overridden, Required, StaticUse,
    StoredShape, TypeForm, VersionUse,
};
pub use blocks::{AddressRule, BlockSpec, BodyRule, ExtraLabels, KindRow, Kinds, LabelSpec, NestedRule};
pub use checks::{
    Among, BlankPlace, BlockTrait, BodyCheck, Check, CheckRow, ClashPlace, CleanCheck, HeaderCheck, Identity,
    MergedCheck, MissingCheck, NestedCheck, OwnVersionHolder, Traits, WholeCheck,
};
use described::described;
pub use described::{Described, Description, Given};
pub use files::{FileRules, FileSyntax, NamedFile, SuffixRow, SuffixUse, TestRules, ValuesName, ValuesRow};
pub use merging::{AttrMerge, Keeps, ListRule, Missing, OverrideRule, Repeat};

pub use rules::{
    EarlyEval, EarlyEvalRule, Exclusion, ExpressionRule, Expressions, ImportRule, Imports, ModuleRule, Modules,
    ProviderRule, Providers, Reading, ReadingRule, ReferenceRule, References, RequiredVersion, RequiredVersionRule,
    Rule, RuleRow, Rules, TriggerRule, Triggers,
};

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
    pub rule_rows: &'static [RuleRow],
    /// What the rows come to; filled in when the table is flattened.
    pub rules: Rules,
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

    /// Whether configuration files are of HCL 1.
    pub fn reads_hcl1(&self) -> bool {
        self.files.suffixes.iter().any(|row| row.syntax == FileSyntax::Hcl1)
    }

    /// The native grammar.
    pub fn grammar(&self) -> Grammar {
        Grammar {
            namespaced_calls: self.rules.expressions.namespaced_functions,
            end_is_named: self.rules.reading.unclosed_blocks_are_named,
        }
    }

    /// The words in which this version says `title` under the code.
    pub fn title(&self, code: &str, title: &'static str) -> &'static str {
        self.titles.iter().find(|row| row.code == code && row.title == title).map_or(title, |row| row.says)
    }
}
