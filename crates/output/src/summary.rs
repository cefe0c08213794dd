//! What overriding did to a module, or to the modules of a repository, for people.

use std::collections::{BTreeMap, BTreeSet};

use super::extent::{self, Extent};
use super::overrides::overrides_text;
use super::variables::variables_text;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Severity, Tally};
use overfold_base::echo;
use overfold_model::config::{ChangeKind, FileRole};
use overfold_module::pipeline::Report;

/// The most module directories that one line names.
const MOST_NAMES: usize = 5;

/// Returns a summary of a module: what was overridden and lost, the values of variables if they were asked for, and whether
/// the tool accepts the configuration. `fail_on` is the severity of diagnostics from which on they count as a failure all
/// the same. Every line has a line end.
pub fn summary(report: &Report<'_>, fail_on: Option<Severity>) -> String {
    let mut text = own_summary(report, fail_on);
    if let Some(unchecked) = Extent::of(report).unchecked() {
        line(&mut text, &unchecked);
    }
    text
}

/// Returns the lines about a module but for the one that is the same for all modules of a repository.
fn own_summary(report: &Report<'_>, fail_on: Option<Severity>) -> String {
    let mut text = overrides_text(report);
    text.push_str(&variables_text(report));
    line(&mut text, &extent::verdict(report, fail_on));
    text
}

/// The summaries of the modules of a repository, while it grows.
pub struct RepositorySummary {
    fail_on: Option<Severity>,
    /// Whether only the modules of some files are looked at.
    is_limited: bool,
    modules: BTreeMap<Box<str>, ModuleSummary>,
    extent: Option<Extent>,
}

/// What the lines about all modules need to know about one.
struct ModuleSummary {
    /// Its own lines; `None` if nothing is overridden or wrong.
    lines: Option<String>,
    has_override_files: bool,
    /// How many arguments and blocks are lost.
    lost: usize,
    has_errors: bool,
    tally: Tally,
    /// What it does if it has no errors, as of [`extent::accepted`].
    accepted: String,
}

impl RepositorySummary {
    /// Starts without modules. `fail_on` is as in [`summary`]; `is_limited` says whether only the modules of some files are
    /// looked at.
    pub const fn new(fail_on: Option<Severity>, is_limited: bool) -> Self {
        Self { fail_on, is_limited, modules: BTreeMap::new(), extent: None }
    }

    /// Takes the report of the module in this directory, which may come a second time, and how many diagnostics of each
    /// severity are shown of it.
    pub fn take(&mut self, path: &str, report: &Report<'_>, tally: Tally) {
        let changes = &report.module.changes;
        account::work(changes.len() as u64);
        let says_something = !changes.is_empty() || report.variables.is_some() || tally.errors + tally.warnings > 0;
        let module = ModuleSummary {
            lines: says_something.then(|| own_summary(report, self.fail_on)),
            has_override_files: report.module.files.iter().any(|file| file.role == FileRole::Override),
            lost: changes.iter().filter(|change| change.act == ChangeKind::Removed).count(),
            has_errors: report.diagnostics.has_errors(),
            tally,
            accepted: extent::accepted(report),
        };
        account::text(path.len() + module.lines.as_ref().map_or(0, String::len));
        self.modules.insert(path.into(), module);
        let own = Extent::of(report);
        self.extent = Some(match self.extent.take() {
            Some(extent) => extent.and(own),
            None => own,
        });
    }

    /// Returns the text: what matters about all modules, then each of which there is something to say below its path.
    /// `left_out` are the directories that could not be loaded.
    pub fn finish<'p>(self, left_out: impl Iterator<Item = &'p str>) -> String {
        let mut text = String::new();
        let modules = &self.modules;
        let with_files = modules.values().filter(|module| module.has_override_files).count();
        line(&mut text, &format!("{}, {} with override files", directories(modules.len()), number(with_files)));
        line(&mut text, &self.verdict());
        let left_out: Vec<&str> = left_out.charged(1).collect();
        if !left_out.is_empty() {
            line(&mut text, &format!("{} could not be loaded: {}", directories(left_out.len()), named(&left_out)));
        }
        let lost: usize = modules.values().map(|module| module.lost).sum();
        if lost > 0 {
            let what = if lost == 1 { "argument or block is" } else { "arguments and blocks are" };
            let places = self.named(|module| module.lost > 0);
            line(&mut text, &format!("{lost} {what} lost in {places}"));
        }
        if let Some(unchecked) = self.extent.as_ref().and_then(Extent::unchecked) {
            line(&mut text, &unchecked);
        }
        let silent = modules.values().filter(|module| module.lines.is_none()).count();
        if silent > 0 && silent < modules.len() {
            line(&mut text, &format!("not listed: {} in which nothing is overridden or wrong", directories(silent)));
        }
        for (path, module) in modules {
            if let Some(lines) = &module.lines {
                line(&mut text, &format!("== {}", echo::line(path)));
                text.push_str(lines);
            }
        }
        text
    }

    /// Says whether the modules are accepted.
    fn verdict(&self) -> String {
        let accepted: BTreeSet<&str> = self.modules.values().map(|module| &*module.accepted).collect();
        let accepted = accepted.into_iter().collect::<Vec<_>>().join(", or ");
        match self.modules.values().filter(|module| module.has_errors).count() {
            _ if self.modules.is_empty() && self.is_limited => {
                "none of the files of --paths belongs to a module here; they are named from the folder that is read"
                    .to_owned()
            }
            _ if self.modules.is_empty() => "no directory has configuration files".to_owned(),
            0 => format!("all {accepted}{}", self.failing()),
            _ if self.modules.len() == 1 => format!("it does not {accepted}"),
            count => {
                let verb = if count == 1 { "does" } else { "do" };
                format!("{count} of them {verb} not {accepted}: {}", self.named(|module| module.has_errors))
            }
        }
    }

    /// Says what counts as a failure although no module has errors.
    fn failing(&self) -> String {
        let mut tally = Tally::default();
        self.modules.values().for_each(|module| tally += module.tally);
        let Some(what) = extent::failing(tally, self.fail_on) else { return String::new() };
        let from = if tally.errors > 0 { Severity::Error } else { self.fail_on.unwrap_or_default() };
        format!(", but {what}: {}", self.named(|module| module.tally.reaches(from)))
    }

    /// Names the first directories of which something is true.
    fn named(&self, predicate: impl Fn(&ModuleSummary) -> bool) -> String {
        let found = self.modules.iter().filter(|(_, module)| predicate(module));
        named(&found.map(|(path, _)| &**path).collect::<Vec<_>>())
    }
}

/// Names the first of some directories.
fn named(paths: &[&str]) -> String {
    let shown =
        |path: &&str| if *path == "." { ". (the top folder)".to_owned() } else { echo::line(path).into_owned() };
    let mut names: Vec<_> = paths.iter().take(MOST_NAMES).map(shown).collect();
    match paths.len().saturating_sub(MOST_NAMES) {
        0 => {}
        more => names.push(format!("and {more} more")),
    }
    names.join(", ")
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn directories(count: usize) -> String {
    match count {
        1 => "1 module directory".to_owned(),
        count => format!("{count} module directories"),
    }
}

fn number(count: usize) -> String {
    if count == 0 { "none".to_owned() } else { count.to_string() }
}
