//! Which versions of the tools load a module, and what changes from one to the next.
//!
//! Not releases are run, but tables: releases whose tables are the same read a module alike ([`crate::dialect::Era`]). Every
//! run is one of the pipeline and charged to the one account of the request. Only what the tool itself reports counts
//! (`origin` `tool`, errors and warnings), and errors alone decide whether a module is loaded. The constraints that a
//! module puts on the tool's version take no part in that; they are held against the outcome ([`RequiredVersion`]).

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

/// What is known of a module and the versions of the tools.
#[derive(Debug)]
pub struct Compatibility {
    /// From whose point of view the constraints of the module are looked at.
    pub dialect: &'static str,
    /// In which version: as asked for, or the newest that is known.
    pub version: String,
    /// Whether that version loads the module, its constraints aside.
    pub loads: bool,
    /// Whether that version has errors or warnings to report.
    pub reports: bool,
    /// Each tool that is compared.
    pub tools: Vec<Tool>,
    /// The module's own constraints on the tool's version, held against what loads it.
    pub required: RequiredVersion,
}

/// The versions of one tool.
#[derive(Debug)]
pub struct Tool {
    /// The dialect's name.
    pub dialect: &'static str,
    /// All known releases, oldest first, with neighbours of one kind in one range.
    pub ranges: Vec<LoadRange>,
    /// What the oldest known release reports.
    pub first: Vec<ToolFinding>,
    /// Where something changes, oldest first.
    pub boundaries: Vec<Boundary>,
}

/// Known releases next to each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionRange {
    /// The oldest, in full.
    pub from: String,
    /// The newest, in full; it belongs to the range.
    pub to: String,
}

/// Known releases next to each other that all load the module, or all do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadRange {
    /// Which.
    pub releases: VersionRange,
    /// Whether they load the module.
    pub loads: bool,
}

/// What one table makes of the module.
struct Outcome {
    releases: &'static [String],
    loads: bool,
    /// It has errors or warnings to report.
    reports: bool,
    constraints: Vec<StatedConstraint>,
}

/// Runs every table of the tools that are compared on one module directory. The dialect and the version of `request` are the
/// point of view of the module's constraints; its other parts hold for every run. `folder` (`""` for none) and a slash stand
/// before the names of files.
///
/// # Errors
/// [`RequestError`] when the request cannot be met whatever the files hold, for one of the tools or for all.
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
        let report = pipeline::run_by(era.spec, &forest, files, request, |_| {})?;
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
    let stated = module.into_iter().flat_map(tool_version::all).filter_map(|(text, range)| {
        account::touch(text.len());
        let constraints = Constraints::parse(text)?;
        let (text, range) = (output::shown_text(report, text, range), output::written_range(report, range));
        Some(StatedConstraint { text, range, constraints })
    });
    // Findings past the cap are not kept; an error may be among them.
    let refused = side.findings().iter().any(ToolFinding::is_error)
        || (report.diagnostics.dropped() > 0 && report.diagnostics.has_errors());
    let reports = refused || !side.findings().is_empty();
    Outcome { releases: &era.releases, loads: !refused, reports, constraints: stated.collect() }
}

/// Releases, oldest first, with neighbours that have the same property in one range.
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
