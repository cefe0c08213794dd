//! Which versions of the tools load a module, and what changes from one to the next.
//!
//! Tables are run, not releases: releases with the same table read a module alike ([`overfold_dialect::Era`]). Every run
//! goes through the pipeline and is charged to the account of the request. Only what the tool itself reports is
//! compared (errors and warnings): when it loads the module, when it installs the modules that this one calls, and
//! when it finds that something the module uses is not built into that version ([`missing_names`]). Errors, and
//! the constraints that a module puts on the tool's version, decide which releases load it; the constraints are also
//! compared with what the errors alone say ([`RequiredVersion`]).

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod json;
mod neighbours;
mod required;
mod text;

use overfold_base::account;
use overfold_base::diag::{Diagnostic, Phase, Severity, Tally};
use overfold_base::files::FileSet;
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::{self as dialect, DialectSpec, Era};
use overfold_eval::FileAccess;
use overfold_module::pipeline::{self, Report, Request, RequestError, ToolStage};
use overfold_module::{missing_names, tool_version};
use overfold_output::{self as output, ToolFinding};
use overfold_syntax::{Forest, SyntaxLimits};

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
    /// How far problems are looked for.
    pub stage: ToolStage,
    /// Whether that version loads the module: it reports no error, and meets the module's constraints.
    pub loads: bool,
    /// The findings of that version that are shown.
    pub tally: Tally,
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

/// A range of adjacent known releases with the same verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadRange {
    /// The releases.
    pub releases: VersionRange,
    /// Whether they load the module.
    pub verdict: Verdict,
}

/// Whether a release loads the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It reports no error, and meets the module's constraints on its version.
    Loads,
    /// It reports no error apart from the version, which does not meet the module's constraints.
    Excluded,
    /// It reports an error.
    Fails,
}

/// The outcome of running the module with one table.
struct Outcome {
    releases: &'static [String],
    /// Whether there are no errors. The constraints are not considered.
    loads: bool,
    /// The findings that are shown.
    tally: Tally,
    constraints: Vec<StatedConstraint>,
}

impl Outcome {
    /// Whether one of the releases loads the module.
    fn verdict(&self, release: &str) -> Verdict {
        match (self.loads, self.allows(release)) {
            (false, _) => Verdict::Fails,
            (true, true) => Verdict::Loads,
            (true, false) => Verdict::Excluded,
        }
    }

    /// Whether a release meets all constraints that it reads. As in the tool, a release candidate is treated as its
    /// release.
    fn allows(&self, release: &str) -> bool {
        let numbers = release.split('-').next().unwrap_or(release);
        let Some(version) = Version::parse(numbers) else { return false };
        self.constraints.iter().all(|stated| {
            account::work(stated.constraints.list.len() as u64 + 1);
            stated.constraints.allow(&version)
        })
    }
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
    account::raise(|limits| limits.for_files(files.content_bytes()));
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
    let loads = by_asked.is_some_and(|outcome| outcome.verdict(asked.version) == Verdict::Loads);
    let mut tally = by_asked.map(|outcome| outcome.tally).unwrap_or_default();
    if by_asked.is_some_and(|outcome| outcome.verdict(asked.version) == Verdict::Excluded) {
        // The tool reports the unmet constraint.
        tally.add(Some(Severity::Error), 1);
    }
    let required = RequiredVersion::of(asked, request.stage, &own);
    Ok(Compatibility { dialect: asked.name, version, stage: request.stage, loads, tally, tools, required })
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
        let mut report = pipeline::run_with_table(era.spec, &forest, files, request, |_| {})?;
        if report.module.blocks.is_none() {
            let access = FileAccess { files, root: &report.root };
            let found = missing_names(&report.module, era.spec, &forest, access, &report.diagnostics);
            for finding in found {
                report
                    .diagnostics
                    .push_in(Phase::Installation, Diagnostic { origin: finding.origin.later(), ..finding });
            }
        }
        let side = neighbours::Side::of(&report);
        outcomes.push(outcome(era, &report, &side));
        match &before {
            None => first = side.shown(),
            Some(before) => boundaries.extend(Boundary::between(before, &side, era.releases.first())),
        }
        before = Some(side);
    }
    let releases =
        outcomes.iter().flat_map(|outcome| outcome.releases.iter().map(|text| (text, outcome.verdict(text))));
    let ranges = grouped(releases).into_iter().map(|(releases, verdict)| LoadRange { releases, verdict }).collect();
    Ok((Tool { dialect: name, ranges, first, boundaries }, outcomes))
}

fn outcome(era: &'static Era, report: &Report<'_>, side: &neighbours::Side) -> Outcome {
    let stated = tool_version::all_constraints(&report.module).filter_map(|(text, range)| {
        account::touch(text.len());
        let constraints = Constraints::parse(text)?;
        let (text, range) = (output::shown_text(report, text, range), output::written_range(report, range));
        Some(StatedConstraint { text, range, constraints })
    });
    // Findings beyond the cap are not kept, and an error may be among them.
    let refused = side.findings().iter().any(ToolFinding::is_error)
        || (report.diagnostics.dropped() > 0 && report.diagnostics.has_errors());
    let mut tally = if report.diagnostics.dropped() > 0 { report.tally() } else { Tally::default() };
    side.findings().iter().for_each(|finding| tally.add(finding.severity, 1));
    Outcome { releases: &era.releases, loads: !refused, tally, constraints: stated.collect() }
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
