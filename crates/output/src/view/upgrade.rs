//! The answer of `POST /v1/upgrade`.

use std::collections::BTreeMap;

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{Diagnostic, PlanDiffSide, Range};
use crate::diagnostics::DiagnosticList;
use crate::difference::{DifferenceKind, UpgradeKind, UpgradeVerdict};
use crate::json::JsonText;
use crate::plan::WrittenPlans;
use overfold_base::named;
use overfold_dialect::{Difference, Release, When};

/// The answer of `POST /v1/upgrade`.
#[derive(Serialize, ToSchema)]
pub struct UpgradeAnswer<'a> {
    /// What the new version does to the configuration: `same`; `changes`: values, marks, messages or warnings change;
    /// `breaks`: errors appear, or the new version cannot be used. Diagnostics of severity `info` do not count.
    pub verdict: UpgradeVerdict,
    /// The old version.
    pub from: PlanDiffSide<'a>,
    /// The new version.
    pub to: PlanDiffSide<'a>,
    /// What is no longer reported, and what is new. A diagnostic that is told at another place, or in other words, is
    /// in both lists; the names of the tool and its version make no difference.
    pub diagnostics: UpgradeDiagnostics<'a>,
    /// What is different in the plan: instances, planned values, results of conditions, and then the rest of the document.
    /// If only one of the plans has errors, they are not compared further. Absent with `recursive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changes: Option<Vec<UpgradeChange<'a>>>,
    /// The rows of the version tables that explain one of the differences, in order of `id`. `GET /v1/versions` has them all.
    pub rules: Vec<VersionRule>,
    /// The number of differences that no row explains, besides constraints on the version, which explain themselves.
    pub unexplained: u32,
    /// `false` if the limits of the request ended the search for rows, so that `rule` may be missing where a row would
    /// explain something. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub searched: Option<bool>,
    /// What stands in the way in the configuration itself. Absent with `recursive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ready: Option<Vec<VersionObstacle<'a>>>,
    /// With `recursive`: by the directory of each root module, the answer for it, without this member. `verdict` is then the
    /// worst of theirs, and `rules` and `unexplained` are about all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, UpgradeAnswer<'a>>>, nullable = false, no_recursion)]
    pub plans: Option<WrittenPlans<'a>>,
}

/// What one version reports and the other does not.
#[derive(Serialize, ToSchema)]
pub struct UpgradeDiagnostics<'a> {
    /// What only the new version reports.
    pub added: Vec<Diagnostic<'a>>,
    /// What only the old version reports.
    pub removed: Vec<Diagnostic<'a>>,
    /// With `recursive`: the diagnostics about directories that neither version can load; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Diagnostic<'a>>>, nullable = false)]
    pub both: Option<DiagnosticList<'a>>,
}

/// A difference between the plans of two versions.
#[derive(Serialize, ToSchema)]
pub struct UpgradeChange<'a> {
    /// What is different.
    pub kind: UpgradeKind,
    /// The instance, output, check or other object that it is about; absent for other parts of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "output.id")]
    pub address: Option<&'a str>,
    /// With `address`: JSON pointer into the planned values of the object, absent for the object as a whole. Without: into the
    /// plan document, `""` for all of it. Into the new one; into the old one, if what it leads to is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/cidr_block")]
    pub pointer: Option<&'a str>,
    /// What happened.
    pub change: DifferenceKind,
    /// `true` if it is about the results of the conditions of the object. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub conditions: Option<bool>,
    /// The old version's side; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<UpgradeSide<'a>>,
    /// The new version's side; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<UpgradeSide<'a>>,
    /// The number of differences of this form in the document, of which this is the first; absent if it is the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count: Option<u32>,
    /// The row that explains the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "sensitive-outputs-are-marked")]
    pub rule: Option<&'static str>,
}

/// The result under one version.
#[derive(Serialize, ToSchema, Debug)]
pub struct UpgradeSide<'a> {
    /// The value, or the part of the document. Absent if it is not known, may not be shown, or is very long; parts that are
    /// not known are left out of it, and parts that may not be shown are null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>, nullable = false, example = "10.0.0.0/16")]
    pub value: Option<&'a JsonText<'static>>,
    /// `true` if the value, or a part of it, is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub unknown: Option<bool>,
    /// `true` if it may not be shown, because it is sensitive under either version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// The place of the argument that sets the value, or of the header of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range<'a>>,
}

/// A row of the version tables.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionRule {
    /// Its name, which stays the same.
    #[schema(example = "sensitive-outputs-are-marked")]
    pub id: &'static str,
    /// What the versions in `ranges` do, and the others do not.
    pub summary: &'static str,
    /// By dialect: the ranges of versions in which it holds, oldest first. Two ranges that touch are two forms of it.
    pub ranges: BTreeMap<&'static str, Vec<DifferenceRange>>,
    /// Where it is known from: a document of rules, a recorded case, or a change in the sources.
    pub source: &'static str,
}

/// A range of versions.
#[derive(Serialize, ToSchema, Debug)]
pub struct DifferenceRange {
    /// The first version; absent if the range begins before the first one that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub from: Option<String>,
    /// The first version after the range; absent if the range is open-ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub to: Option<String>,
}

impl From<When> for DifferenceRange {
    fn from(When { since, until }: When) -> Self {
        let text = |Release(major, minor, patch): Release| format!("{major}.{minor}.{patch}");
        Self { from: (since != When::ALWAYS.since).then(|| text(since)), to: until.map(text) }
    }
}

impl From<&'static Difference> for VersionRule {
    fn from(row: &'static Difference) -> Self {
        let ranges = |ranges: &Vec<When>| ranges.iter().copied().map(DifferenceRange::from).collect();
        Self {
            id: &row.id,
            summary: &row.summary,
            ranges: row.ranges.iter().map(|(&dialect, of)| (dialect, ranges(of))).collect(),
            source: &row.source,
        }
    }
}

named! {
    /// What stands in the way of another version.
    pub enum ObstacleKind {
        /// A constraint on the version of the tool does not allow the new one.
        RequiredVersion = "required-version",
        /// A name is reserved in the new version.
        ReservedName = "reserved-name",
    }
}

/// Something in the configuration that stands in the way of the new version.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct VersionObstacle<'a> {
    /// What it is.
    pub kind: ObstacleKind,
    /// What to do, in a sentence.
    pub summary: String,
    /// Where it stands.
    pub range: Range<'a>,
    /// The edits that remove it, where they are certain.
    pub edits: Vec<VersionEdit<'a>>,
}

/// An edit of a file.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct VersionEdit<'a> {
    /// What is replaced.
    pub range: Range<'a>,
    /// What takes its place.
    #[schema(example = "~> 1.9.0")]
    pub text: String,
}
