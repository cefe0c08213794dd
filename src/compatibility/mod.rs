//! Which versions of the tools load a module, and what changes from one to the next.
//!
//! Tables are run, not releases: releases with the same table read a module alike ([`crate::dialect::Era`]). Every run
//! goes through the pipeline and is charged to the account of the request. Only what the tool itself reports is
//! compared (`origin` `tool`, errors and warnings), and errors alone decide whether a module is loaded. The constraints
//! that a module puts on the tool's version have no influence on that; they are compared with the outcome
//! ([`RequiredVersion`]).

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod json;
mod neighbours;
mod required;
mod text;

use crate::account;
use crate::decode::tool_version;
use crate::dialect::{self, DialectSpec, Era};
use crate::files::FileSet;
use crate::output::{self, ToolFinding};
use crate::pipeline::{self, Report, Request, RequestError};
use crate::syntax::{Forest, SyntaxLimits};
use crate::versions::Constraints;

pub use json::json;
pub use neighbours::{Boundary, Difference};
pub use required::{RequiredVersion, StatedConstraint};
pub use text::text;

/// The result of running a module through all versions of the tools.
#[derive(Debug)]
pub struct Compatibility {
    /// The dialect from whose point of view the constraints of the module are evaluated.
    pub dialect: &'static str,
    /// The version of that dialect: as requested, or the newest known one.
    pub version: String,
    /// Whether that version loads the module, leaving its constraints aside.
    pub loads: bool,
    /// Whether that version has errors or warnings to report.
    pub reports: bool,
    /// The tools that are compared.
    pub tools: Vec<Tool>,
    /// The module's own constraints on the tool's version, compared with the releases that load it.
    pub required: RequiredVersion,
}

/// The versions of one tool.
#[derive(Debug)]
pub struct Tool {
    /// The dialect's name.
    pub dialect: &'static str,
    /// All known releases, oldest first; adjacent releases with the same outcome form one range.
    pub ranges: Vec<LoadRange>,
    /// What the oldest known release reports.
    pub first: Vec<ToolFinding>,
    /// The releases at which something changes, oldest first.
    pub boundaries: Vec<Boundary>,
}

/// A range of adjacent known releases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionRange {
    /// The oldest release, in full.
    pub from: String,
    /// The newest release, in full; it is part of the range.
    pub to: String,
}

/// A range of adjacent known releases that all load the module, or all do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadRange {
    /// The releases.
    pub releases: VersionRange,
    /// Whether they load the module.
    pub loads: bool,
}

/// The outcome of running the module with one table.
struct Outcome {
    releases: &'static [String],
    loads: bool,
    /// Whether there are errors or warnings.
    reports: bool,
    constraints: Vec<StatedConstraint>,
}

/// Runs a module directory with every table of the tools that are compared. The dialect and the version of `request`
/// are the point of view for the module's constraints; the rest of `request` applies to every run. The names of files
/// are prefixed with `folder` (`""` for none) and a slash.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, for one tool or for all, whatever the files contain.
pub fn of(
    files: &FileSet,
    request: &Request,
    folder: &str,
    limits: SyntaxLimits,
) -> Result<Compatibility, RequestError> {
    let asked = dialect::find(&request.dialect, request.version.as_deref())
        .map_err(|missing| RequestError::not_found(missing, &request.dialect, request.version.as_deref()))?;
    if !dialect::compared().any(|name| name == asked.name) {
        return Err(RequestError::NotCompared(asked.name));
    }
    let mut tools = Vec::new();
    let mut own = Vec::new();
    for name in dialect::compared() {
        let (tool, outcomes) = tool(name, files, request, folder, limits)?;
        tools.push(tool);
        if name == asked.name {
            own = outcomes;
        }
    }
    let version = request.version.clone().unwrap_or_else(|| asked.version.to_owned());
    let by_asked = own.iter().find(|outcome| is_among(asked, outcome.releases));
    let (loads, reports) = by_asked.map_or((false, false), |outcome| (outcome.loads, outcome.reports));
    let required = RequiredVersion::of(asked, &own);
    Ok(Compatibility { dialect: asked.name, version, loads, reports, tools, required })
}

fn is_among(asked: &DialectSpec, releases: &[String]) -> bool {
    releases.iter().any(|release| *release == *asked.version)
}

fn tool(
    name: &'static str,
    files: &FileSet,
    request: &Request,
    folder: &str,
    limits: SyntaxLimits,
) -> Result<(Tool, Vec<Outcome>), RequestError> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut first = Vec::new();
    let mut boundaries = Vec::new();
    let mut before: Option<neighbours::Side> = None;
    for era in dialect::eras(name) {
        let forest = Forest::new(limits);
        forest.sources.set_folder(folder);
        let report = pipeline::run_with_table(era.spec, &forest, files, request, |_| {})?;
        let side = neighbours::Side::of(&report);
        outcomes.push(outcome(era, &report, &side));
        match &before {
            None => first = side.findings().to_vec(),
            Some(before) => boundaries.extend(Boundary::between(before, &side, era.releases.first())),
        }
        before = Some(side);
    }
    let releases = outcomes.iter().flat_map(|outcome| outcome.releases.iter().map(|text| (text, outcome.loads)));
    let ranges = grouped(releases).into_iter().map(|(releases, loads)| LoadRange { releases, loads }).collect();
    Ok((Tool { dialect: name, ranges, first, boundaries }, outcomes))
}

fn outcome(era: &'static Era, report: &Report<'_>, side: &neighbours::Side) -> Outcome {
    let module = report.merged.objects();
    let stated = module.into_iter().flat_map(tool_version::all_constraints).filter_map(|(text, range)| {
        account::touch(text.len());
        let constraints = Constraints::parse(text)?;
        let (text, range) = (output::shown_text(report, text, range), output::written_range(report, range));
        Some(StatedConstraint { text, range, constraints })
    });
    // Findings beyond the cap are not kept, and an error may be among them.
    let refused = side.findings().iter().any(ToolFinding::is_error)
        || (report.diagnostics.dropped() > 0 && report.diagnostics.has_errors());
    let reports = refused || !side.findings().is_empty();
    Outcome { releases: &era.releases, loads: !refused, reports, constraints: stated.collect() }
}

/// Groups releases, oldest first, into ranges of adjacent releases with the same property.
fn grouped<'r, T: PartialEq>(releases: impl Iterator<Item = (&'r String, T)>) -> Vec<(VersionRange, T)> {
    let mut groups: Vec<(VersionRange, T)> = Vec::new();
    for (release, property) in releases {
        account::work(1);
        match groups.last_mut() {
            Some((range, of_range)) if *of_range == property => range.to.clone_from(release),
            _ => groups.push((VersionRange { from: release.clone(), to: release.clone() }, property)),
        }
    }
    groups
}
