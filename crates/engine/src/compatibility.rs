//! Which versions of the tools load a module, and what changes from one to the next.
//!
//! Tables are run, not releases: releases with the same table read a module alike ([`overfold_dialect::Era`]). Every run
//! goes through the pipeline and is charged to the account of the request. Only what the tool itself reports is
//! compared (errors and warnings): when it loads the module, when it installs the modules that this one calls, and
//! when it finds that something the module uses is not built into that version ([`missing_names`]). Errors, and
//! the constraints that a module puts on the tool's version, decide which releases load it; the constraints are also
//! compared with what the errors alone say ([`RequiredVersion`]).

pub mod json;
mod neighbours;
mod required;
mod text;

use crate::input::{Input, PreparedRequest};
use crate::limits::RequestLimits;
use crate::merge::has_configuration;
use crate::options::{self, MergeOptions};
use crate::refusal::Refusal;
use crate::use_case::{AnswerForm, Context, Facts, Outcome as Answered, UseCase};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Phase, Severity, Tally};
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::{self as dialect, DialectSpec, Era};
use overfold_eval::FileAccess;
use overfold_module::meant_version::VersionFrom;
use overfold_module::pipeline::{self, Report, Request, RequestError, Stage, ToolStage};
use overfold_module::version_search::with_meant_version;
use overfold_module::{missing_names, tool_version};
use overfold_output::{self as output, ToolFinding};
use overfold_syntax::{Forest, SyntaxLimits};
use std::cell::RefCell;
use std::sync::Arc;

pub use json::json;
pub use neighbours::{Boundary, Difference};
pub use required::{RequiredVersion, StatedConstraint};
pub use text::text;

/// Finding out which versions of the tools load a module.
#[derive(Debug)]
pub enum Compatibility {}

/// The form of the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Form {
    /// The answer of the service, as JSON
    Json,
    /// A table for people
    Text,
}

impl AnswerForm for Form {
    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
        }
    }
}

impl UseCase<1> for Compatibility {
    const NAME: &'static str = "compatibility";
    type Options = MergeOptions;
    type Form = Form;
    type Verdict = ();

    fn prepare(options: MergeOptions, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
        options::prepare(options::for_comparison(options)?, limits)
    }

    fn run([input]: [Input<'_>; 1], form: Form, context: &mut Context<'_>) -> Result<Answered<()>, Refusal> {
        context.observer.stage("load");
        let compared = compare(input, context)?;
        context.observer.stage(Stage::OUTPUT);
        let facts = Facts { valid: compared.loads, ..Facts::new(input.files) };
        let bytes = match form {
            Form::Json => json(&compared),
            Form::Text => text(&compared).into_bytes(),
        };
        let (fails, is_empty) = (input.fails(compared.tally), compared.is_empty);
        Ok(Answered {
            answer: Ok(bytes),
            facts,
            fails,
            findings: String::new(),
            is_empty,
            reaches_nothing: false,
            verdict: (),
        })
    }
}

/// The result of running a module through all versions of the tools.
#[derive(Debug)]
pub struct Comparison {
    /// The dialect from whose point of view the constraints of the module are evaluated.
    pub dialect: &'static str,
    /// The version of that dialect: as requested, or the newest known one.
    pub version: String,
    /// The version in full, also if the request names a release line.
    pub exact_version: &'static str,
    /// Where that was found, if the request asks for the version that the repository means.
    pub version_from: Option<Arc<VersionFrom>>,
    /// How much is checked.
    pub stage: ToolStage,
    /// Whether that version loads the module: it reports no error, and meets the module's constraints.
    pub loads: bool,
    /// The findings of that version that are shown.
    pub tally: Tally,
    /// The tools that are compared.
    pub tools: Vec<Tool>,
    /// The module's own constraints on the tool's version, compared with the releases that load it.
    pub required: RequiredVersion,
    /// Whether that version reads no configuration file.
    pub is_empty: bool,
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

/// Runs a module directory with every table of the tools that are compared. The dialect and the version of the request
/// are the point of view for the module's constraints; the rest of it applies to every run.
///
/// # Errors
/// Refuses a request that cannot be met, for one tool or for all, whatever the files contain.
pub fn compare(input: Input<'_>, context: &mut Context<'_>) -> Result<Comparison, Refusal> {
    let files = input.files;
    let request = &*with_meant_version(files, &input.prepared.request)?;
    let asked = dialect::find(&request.dialect, request.version.as_deref())
        .map_err(|missing| RequestError::not_found(missing, &request.dialect, request.version.as_deref()))?;
    if !dialect::compared().any(|name| name == asked.name) {
        return Err(RequestError::NotCompared(asked.name).into());
    }
    account::raise(|limits| limits.for_files(files.content_bytes()));
    let mut tools = Vec::new();
    let mut own = Vec::new();
    let mut is_empty = false;
    let limits = context.limits;
    let context = RefCell::new(context);
    let mut look = |report: &Report<'_>| {
        is_empty = !has_configuration(report);
        context.borrow().check_definitions(input, report)
    };
    let run = Run { input, request, asked, folder: &input.folder(), limits };
    let total: usize = dialect::compared().map(|name| dialect::eras(name).len()).sum();
    let mut done = 0;
    for name in dialect::compared() {
        let mut count = || {
            done += 1;
            context.borrow_mut().observer.progress(done, Some(total));
        };
        let (tool, outcomes) = tool(name, &run, &mut look, &mut count)?;
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
    let version_from = request.version_from.clone();
    Ok(Comparison {
        dialect: asked.name,
        version,
        exact_version: asked.version,
        version_from,
        stage: request.stage,
        loads,
        tally,
        tools,
        required,
        is_empty,
    })
}

/// What all runs of a comparison have in common.
#[derive(Clone, Copy)]
struct Run<'r> {
    input: Input<'r>,
    /// The request with the version that it means.
    request: &'r Request,
    /// The table of the requested version.
    asked: &'static DialectSpec,
    /// What the names of files are prefixed with, `""` for nothing.
    folder: &'r str,
    limits: SyntaxLimits,
}

fn is_among(asked: &DialectSpec, releases: &[String]) -> bool {
    releases.iter().any(|release| *release == *asked.version)
}

/// Runs the tables of one tool. `look` is shown what the requested version reports; `count` is called after each table.
fn tool(
    name: &'static str,
    run: &Run<'_>,
    look: &mut dyn FnMut(&Report<'_>) -> Result<(), Refusal>,
    count: &mut dyn FnMut(),
) -> Result<(Tool, Vec<Outcome>), Refusal> {
    let Run { input: Input { files, .. }, request, asked, folder, limits } = *run;
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut first = Vec::new();
    let mut boundaries = Vec::new();
    let mut before: Option<neighbours::Side> = None;
    for era in dialect::eras(name) {
        let forest = Forest::new(limits);
        forest.sources.set_folder(folder);
        let mut report = pipeline::run_with_table(era.spec, &forest, files, request, &mut |_| {})?;
        if name == asked.name && is_among(asked, &era.releases) {
            look(&report)?;
        }
        if report.module.blocks.is_none() {
            let access = FileAccess::new(files, &report.root);
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
        count();
    }
    let releases =
        outcomes.iter().flat_map(|outcome| outcome.releases.iter().map(|text| (text, outcome.verdict(text))));
    let ranges = grouped(releases).into_iter().map(|(releases, verdict)| LoadRange { releases, verdict }).collect();
    Ok((Tool { dialect: name, ranges, first, boundaries }, outcomes))
}

fn outcome(era: &'static Era, report: &Report<'_>, side: &neighbours::Side) -> Outcome {
    let stated = tool_version::all_constraints(&report.module).filter_map(|(text, range)| {
        let constraints = Constraints::parse(text.touched())?;
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
    for (release, property) in releases.charged(1) {
        match groups.last_mut() {
            Some((range, of_range)) if *of_range == property => range.to.clone_from(release),
            _ => groups.push((VersionRange { from: release.clone(), to: release.clone() }, property)),
        }
    }
    groups
}
