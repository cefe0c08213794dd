//! Compares a module's constraints on the tool's version with the versions that load the module.

use overfold_base::account::ChargedIterator;
use overfold_base::versions::Constraints;
use overfold_dialect::DialectSpec;
use overfold_module::pipeline::ToolStage;
use overfold_output::WrittenRange;

use super::{Outcome, VersionRange, grouped, is_among};

/// The module's constraints on the tool's version, compared with the releases that report no error.
#[derive(Debug)]
pub struct RequiredVersion {
    /// The constraints that the requested version reads, in the order in which it encounters them; all must be met.
    /// Another version may read others.
    pub stated: Vec<StatedConstraint>,
    /// Releases that the constraints allow, but that do not load the module.
    pub too_wide: Vec<VersionRange>,
    /// Releases that the constraints exclude, but that would load the module, and that are newer than any allowed one.
    pub too_narrow: Vec<VersionRange>,
    /// Other releases that the constraints exclude, but that would load the module: a choice of the author.
    pub could_include: Vec<VersionRange>,
    /// A summary in words.
    pub summary: String,
    /// How the constraints could be relaxed, if the author wants to.
    pub note: Option<String>,
}

/// One constraint.
#[derive(Clone, Debug)]
pub struct StatedConstraint {
    /// The text as written, with escapes resolved.
    pub text: String,
    /// The range of the whole argument.
    pub range: WrittenRange,
    pub(super) constraints: Constraints,
}

impl RequiredVersion {
    /// Compares the constraints that each table has read with whether that table loads the module.
    pub(super) fn of(asked: &DialectSpec, stage: ToolStage, outcomes: &[Outcome]) -> Self {
        let releases: Vec<Compared<'_>> = outcomes
            .iter()
            .flat_map(|outcome| {
                outcome.releases.iter().map(|release| Compared {
                    release,
                    allowed: outcome.allows(release),
                    loads: outcome.loads,
                })
            })
            .collect();
        let newest_allowed = releases.iter().charged_at_once(4).rposition(|release| release.allowed);
        let is_newer = |at: usize| newest_allowed.is_none_or(|newest| at > newest);
        let where_both = |hits: &dyn Fn(usize, &Compared<'_>) -> bool| -> Vec<VersionRange> {
            let hit = releases.iter().enumerate().map(|(at, release)| (release.release, hits(at, release)));
            grouped(hit).into_iter().filter(|(_, hit)| *hit).map(|(range, _)| range).collect()
        };
        let too_wide = where_both(&|_: usize, release: &Compared<'_>| release.allowed && !release.loads);
        let too_narrow =
            where_both(&|at: usize, release: &Compared<'_>| !release.allowed && release.loads && is_newer(at));
        let could_include =
            where_both(&|at: usize, release: &Compared<'_>| !release.allowed && release.loads && !is_newer(at));
        let loading = where_both(&|_: usize, release: &Compared<'_>| release.loads);
        let own = outcomes.iter().find(|outcome| is_among(asked, outcome.releases));
        let stated = own.map(|outcome| outcome.constraints.clone()).unwrap_or_default();
        let comparison = Comparison {
            tool: asked.name,
            verb: stage.name(),
            nothing_stated: stated.is_empty(),
            too_wide: &too_wide,
            too_narrow: &too_narrow,
            could_include: &could_include,
            loading: &loading,
        };
        let summary = comparison.summary();
        let note = comparison.note(&releases, newest_allowed);
        Self { stated, too_wide, too_narrow, could_include, summary, note }
    }
}

/// A release, with what the module and its constraints say about it.
struct Compared<'r> {
    release: &'r String,
    /// Whether the constraints allow it.
    allowed: bool,
    /// Whether it reports no error.
    loads: bool,
}

/// The result of the comparison, to be put into words.
struct Comparison<'r> {
    tool: &'r str,
    /// What a release does with a module in which it finds no error: `load` or `validate`.
    verb: &'r str,
    nothing_stated: bool,
    too_wide: &'r [VersionRange],
    too_narrow: &'r [VersionRange],
    could_include: &'r [VersionRange],
    loading: &'r [VersionRange],
}

impl Comparison<'_> {
    fn summary(&self) -> String {
        let Self { tool, verb, too_wide, too_narrow, loading, .. } = self;
        let mut sentences = Vec::new();
        let is_exact = too_narrow.is_empty() && self.could_include.is_empty();
        match (self.nothing_stated, too_wide.is_empty()) {
            _ if loading.is_empty() => sentences.push(format!("No known version of {tool} {verb}s this module.")),
            (true, true) => sentences.push(format!(
                "The module does not constrain the version, and every known version of {tool} {verb}s it."
            )),
            (true, false) => sentences.push(format!(
                "The module does not constrain the version, but {tool} {} cannot {verb} it.",
                list(too_wide)
            )),
            (false, true) if is_exact => sentences
                .push(format!("The constraint allows exactly the known versions of {tool} that {verb} this module.")),
            (false, true) if too_narrow.is_empty() => {
                sentences
                    .push(format!("Every known version of {tool} that the constraint allows {verb}s this module."));
            }
            (false, true) => {}
            (false, false) => sentences.push(format!(
                "The constraint is too wide: it allows {tool} {}, which cannot {verb} this module.",
                list(too_wide)
            )),
        }
        if !(loading.is_empty() || too_narrow.is_empty()) {
            sentences.push(format!(
                "The constraint is too narrow: it excludes {tool} {}, which can {verb} this module.",
                list(too_narrow)
            ));
        }
        if !(loading.is_empty() || too_wide.is_empty() && too_narrow.is_empty()) {
            sentences.push(format!("Versions that can {verb} it: {}.", list(loading)));
        }
        sentences.join(" ")
    }

    /// Says how the constraints could be relaxed. If every release between the oldest that could be included and the
    /// oldest allowed one loads the module, the note gives the constraint to write.
    fn note(&self, releases: &[Compared<'_>], newest_allowed: Option<usize>) -> Option<String> {
        let Self { tool, verb, .. } = self;
        let oldest_allowed = releases.iter().position(|release| release.allowed)?;
        let older = releases.get(..oldest_allowed)?;
        let loading = older.iter().rev().take_while(|release| release.loads).count();
        let lowest = older.get(oldest_allowed - loading..)?.first();
        let without_lower = |range: &&VersionRange| lowest.is_none_or(|lowest| range.from != *lowest.release);
        let rest: Vec<VersionRange> = self.could_include.iter().filter(without_lower).cloned().collect();
        let mut sentences = Vec::new();
        if let Some(lowest) = lowest {
            let upper = newest_allowed.and_then(|newest| releases.get(newest + 1));
            let upper = upper.map_or_else(String::new, |first| format!(", < {}", first.release));
            let range = self.could_include.iter().find(|range| range.from == *lowest.release)?;
            sentences.push(format!(
                "The constraint could be relaxed to \">= {}{upper}\": {tool} {} can {verb} this module as well.",
                lowest.release,
                list(std::slice::from_ref(range))
            ));
        }
        if !rest.is_empty() {
            sentences.push(format!(
                "The constraint also excludes {tool} {}, which can {verb} this module as well.",
                list(&rest)
            ));
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

/// Lists ranges in words.
fn list(ranges: &[VersionRange]) -> String {
    let words = ranges.iter().map(
        |VersionRange { from, to }| {
            if from == to { from.clone() } else { format!("{from} to {to}") }
        },
    );
    words.collect::<Vec<_>>().join(", ")
}
