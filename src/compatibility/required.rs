//! Compares a module's constraints on the tool's version with the versions that load the module.

use crate::account;
use crate::dialect::DialectSpec;
use crate::output::WrittenRange;
use crate::versions::{Constraints, Version};

use super::{Outcome, VersionRange, grouped, is_among};

/// The module's constraints on the tool's version, and what is wrong with them.
#[derive(Debug)]
pub struct RequiredVersion {
    /// The constraints that the requested version reads, in the order in which it encounters them; all must be met.
    /// Another version may read others.
    pub stated: Vec<StatedConstraint>,
    /// Releases that the constraints allow, but that do not load the module.
    pub too_wide: Vec<VersionRange>,
    /// Releases that the constraints exclude, but that would load the module.
    pub too_narrow: Vec<VersionRange>,
    /// A summary in words.
    pub summary: String,
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
    pub(super) fn of(asked: &DialectSpec, outcomes: &[Outcome]) -> Self {
        let releases = || {
            outcomes.iter().flat_map(|outcome| {
                outcome.releases.iter().map(move |release| (release, allows(outcome, release), outcome.loads))
            })
        };
        let where_both = |allowed: bool, loads: bool| -> Vec<VersionRange> {
            let hit = releases().map(|(release, is_allowed, does)| (release, (is_allowed, does) == (allowed, loads)));
            grouped(hit).into_iter().filter(|(_, hit)| *hit).map(|(range, _)| range).collect()
        };
        let (too_wide, too_narrow) = (where_both(true, false), where_both(false, true));
        let loading = grouped(releases().map(|(release, _, loads)| (release, loads)));
        let loading: Vec<VersionRange> =
            loading.into_iter().filter(|(_, loads)| *loads).map(|(range, _)| range).collect();
        let own = outcomes.iter().find(|outcome| is_among(asked, outcome.releases));
        let stated = own.map(|outcome| outcome.constraints.clone()).unwrap_or_default();
        let summary = summary(asked.name, stated.is_empty(), &too_wide, &too_narrow, &loading);
        Self { stated, too_wide, too_narrow, summary }
    }
}

/// Whether a release meets all constraints that it reads. As in the tool, a release candidate is treated as its
/// release.
fn allows(outcome: &Outcome, release: &str) -> bool {
    let numbers = release.split('-').next().unwrap_or(release);
    let Some(version) = Version::parse(numbers) else { return false };
    outcome.constraints.iter().all(|stated| {
        account::work(stated.constraints.list.len() as u64 + 1);
        stated.constraints.allow(&version)
    })
}

fn summary(
    tool: &str,
    nothing_stated: bool,
    too_wide: &[VersionRange],
    too_narrow: &[VersionRange],
    loading: &[VersionRange],
) -> String {
    let mut sentences = Vec::new();
    if loading.is_empty() {
        sentences.push(format!("No known version of {tool} loads this module."));
    }
    match (nothing_stated, too_wide.is_empty(), too_narrow.is_empty()) {
        _ if loading.is_empty() => {}
        (true, true, _) => sentences
            .push(format!("The module does not constrain the version, and every known version of {tool} loads it.")),
        (true, false, _) => sentences.push(format!(
            "The module does not constrain the version, but {tool} {} cannot load it.",
            list(too_wide)
        )),
        (false, true, true) => sentences
            .push(format!("The constraint allows exactly the known versions of {tool} that load this module.")),
        (false, false, _) => sentences.push(format!(
            "The constraint is too wide: it allows {tool} {}, which cannot load this module.",
            list(too_wide)
        )),
        (false, true, false) => {}
    }
    if !(loading.is_empty() || too_narrow.is_empty()) {
        sentences.push(format!(
            "The constraint is too narrow: it excludes {tool} {}, which can load this module.",
            list(too_narrow)
        ));
    }
    if !(loading.is_empty() || too_wide.is_empty() && too_narrow.is_empty()) {
        sentences.push(format!("Versions that load it: {}.", list(loading)));
    }
    sentences.join(" ")
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
