//! The answer of `POST /v1/compatibility`.

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{Comparison, Tool, Verdict, VersionRange};
use overfold_module::pipeline::{Dialect, ToolStage};
use overfold_output::ToolFinding;
use overfold_output::json::{JsonText, JsonWriter};
use overfold_output::view::{Diagnostic, Range, VersionFrom};

/// Writes the whole answer as JSON. The same comparison yields the same bytes.
pub fn json(all: &Comparison) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(4096);
    let required = &all.required;
    let constraints = required
        .stated
        .iter()
        .map(|stated| VersionConstraint { constraint: &stated.text, range: &stated.range.json });
    json.view(&CompatibilityAnswer {
        dialect: all.dialect,
        version: &all.version,
        version_from: all.version_from.as_deref().map(VersionFrom::new),
        stage: all.stage,
        loads: all.loads,
        tools: all.tools.iter().map(|tool| versions(tool, all.stage)).collect(),
        required_version: RequiredVersion {
            constraints: constraints.collect(),
            too_wide: releases(&required.too_wide),
            too_narrow: releases(&required.too_narrow),
            could_include: releases(&required.could_include),
            summary: &required.summary,
            note: required.note.as_deref(),
        },
    });
    json.into_bytes()
}

fn versions(tool: &Tool, stage: ToolStage) -> ToolVersions<'_> {
    let ranges = tool.ranges.iter().map(|range| LoadRange {
        from: &range.releases.from,
        to: &range.releases.to,
        loads: range.verdict == Verdict::Loads,
        excluded: range.verdict == Verdict::Excluded,
        stage,
    });
    ToolVersions {
        dialect: tool.dialect,
        ranges: ranges.collect(),
        diagnostics: findings(&tool.first),
        boundaries: tool.boundaries.iter().map(boundary).collect(),
    }
}

fn boundary(boundary: &super::Boundary) -> Boundary<'_> {
    let differs = boundary.differs.iter().map(|difference| ObjectDifference {
        address: &difference.address,
        before: body(difference.before.as_deref()),
        after: body(difference.after.as_deref()),
    });
    Boundary {
        at: &boundary.at,
        appear: findings(&boundary.appear),
        vanish: findings(&boundary.vanish),
        differs: differs.collect(),
    }
}

fn body(body: Option<&str>) -> JsonText<'_> {
    body.map_or(JsonText::NULL, |body| JsonText(body.into()))
}

/// Findings that are written already.
type Findings<'a> = Vec<&'a JsonText<'static>>;

fn findings(list: &[ToolFinding]) -> Findings<'_> {
    list.iter().map(|finding| &finding.json).collect()
}

fn releases(list: &[VersionRange]) -> Vec<ReleaseRange<'_>> {
    list.iter().map(|VersionRange { from, to }| ReleaseRange { from, to }).collect()
}

/// The answer of `POST /v1/compatibility`.
#[derive(Serialize, ToSchema)]
pub struct CompatibilityAnswer<'a> {
    /// The dialect whose `required_version` is checked.
    #[schema(value_type = Dialect)]
    pub dialect: &'static str,
    /// The version of that dialect: as requested, or the newest known one.
    #[schema(example = "1.11")]
    pub version: &'a str,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom<'a>>,
    /// How much was checked, as requested. With `validate`, a version loads the module only if `validate`
    /// reports no error either.
    pub stage: ToolStage,
    /// Whether that version loads the module: it reports no error, and meets the module's constraints on the version.
    pub loads: bool,
    /// The versions of each dialect that is compared.
    pub tools: Vec<ToolVersions<'a>>,
    /// The module's own constraints on the version.
    pub required_version: RequiredVersion<'a>,
}

/// The versions of one dialect.
#[derive(Serialize, ToSchema)]
pub struct ToolVersions<'a> {
    /// The dialect.
    #[schema(value_type = Dialect)]
    pub dialect: &'static str,
    /// All known releases, oldest first: consecutive releases for which `loads` and `excluded` are the same form one
    /// range.
    pub ranges: Vec<LoadRange<'a>>,
    /// Errors and warnings of the oldest known release. Applying the diagnostics that appear and vanish at each
    /// boundary yields those of every other release.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub diagnostics: Findings<'a>,
    /// Releases at which something changes, oldest first.
    pub boundaries: Vec<Boundary<'a>>,
}

/// Consecutive releases that all load the module, or all do not for the same reason.
#[derive(Serialize, ToSchema)]
pub struct LoadRange<'a> {
    /// The oldest release.
    #[schema(example = "1.10.0")]
    pub from: &'a str,
    /// The newest release, which is included in the range.
    #[schema(example = "1.15.9")]
    pub to: &'a str,
    /// Whether these releases report no error, and the module's own constraints allow them.
    pub loads: bool,
    /// Whether only the module's own constraints keeps these releases from loading it.
    pub excluded: bool,
    /// How much was checked, as in the answer.
    pub stage: ToolStage,
}

/// Consecutive releases.
#[derive(Serialize, ToSchema)]
pub struct ReleaseRange<'a> {
    /// The oldest release.
    #[schema(example = "1.5.0")]
    pub from: &'a str,
    /// The newest release, which is included in the range.
    #[schema(example = "1.9.8")]
    pub to: &'a str,
}

/// A release at which something changes.
#[derive(Serialize, ToSchema)]
pub struct Boundary<'a> {
    /// The first release with the new behaviour.
    #[schema(example = "1.10.0")]
    pub at: &'a str,
    /// The diagnostics that are reported from this release on. Differences in wording alone are not listed.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub appear: Findings<'a>,
    /// The diagnostics that it no longer reports, as the previous release reported them.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub vanish: Findings<'a>,
    /// Objects whose effective configuration differs.
    pub differs: Vec<ObjectDifference<'a>>,
}

/// An object whose effective configuration differs between two releases.
#[derive(Serialize, ToSchema)]
pub struct ObjectDifference<'a> {
    /// The address of the object.
    #[schema(example = "ephemeral.random_password.db")]
    pub address: &'a str,
    /// Its body before, as in `config` in the form `tf-json`; `null` if the object did not exist.
    #[schema(value_type = Option<Object>)]
    pub before: JsonText<'a>,
    /// Its body from this release on; `null` if the object no longer exists.
    #[schema(value_type = Option<Object>)]
    pub after: JsonText<'a>,
}

/// The module's constraints on the version, compared with the versions that load it.
#[derive(Serialize, ToSchema)]
pub struct RequiredVersion<'a> {
    /// Each constraint that the requested version reads; all of them have to be met.
    pub constraints: Vec<VersionConstraint<'a>>,
    /// Releases that the constraints allow although they do not load the module.
    pub too_wide: Vec<ReleaseRange<'a>>,
    /// Releases that the constraints exclude although they would load the module, if they are newer than every release
    /// that the constraints allow.
    pub too_narrow: Vec<ReleaseRange<'a>>,
    /// Other releases that the constraints exclude although they would load the module. This may be what the author
    /// wants.
    pub could_include: Vec<ReleaseRange<'a>>,
    /// A summary in words.
    #[schema(example = "The constraint allows exactly the known versions of terraform that load this module.")]
    pub summary: &'a str,
    /// How the constraints could be relaxed, if they exclude releases in `could_include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        example = "The constraint could be relaxed to \">= 1.9.0\": terraform 1.9.0 to 1.11.4 can load this module as well."
    )]
    pub note: Option<&'a str>,
}

/// A constraint on the version of Terraform or OpenTofu.
#[derive(Serialize, ToSchema)]
pub struct VersionConstraint<'a> {
    /// The constraint as written.
    #[schema(example = ">= 1.5")]
    pub constraint: &'a str,
    /// The place of the whole argument.
    #[schema(value_type = Range<'a>)]
    pub range: &'a JsonText<'static>,
}
