//! Finds what only one of two runs reports, with its place. What one version tells and the other would only tell later, once its
//! errors are gone, is told by one of them only.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use foldhash::{HashMap, HashSet};

use super::ReportedFinding;
use crate::diagnostics::in_order;
use crate::redaction::Redaction;
use overfold_base::account::{self, List};
use overfold_base::diag::Origin;
use overfold_module::pipeline::Report;

/// Returns what only the first run reports, and what only the second one does.
pub(super) fn unmatched<'r>(before: &'r Report<'_>, after: &'r Report<'_>) -> [List<ReportedFinding<'r>>; 2] {
    let (before, after) = (findings(before), findings(after));
    let keys = [&before, &after].map(|list| {
        account::build(2 * list.len() as u64, 32 * list.len() as u64);
        list.iter().flat_map(|(finding, text)| [finding.key, *text]).collect::<HashSet<u64>>()
    });
    let only = |list: List<(ReportedFinding<'r>, u64)>, others: &HashSet<u64>| {
        // What is only told later by one of them is not listed twice.
        let is_only = |(finding, text): &(ReportedFinding<'r>, u64)| {
            let is_told = finding.placed.diagnostic.origin == Origin::Tool;
            !others.contains(&finding.key) && (is_told || !others.contains(text))
        };
        list.into_iter().filter(is_only).map(|(finding, _)| finding).collect()
    };
    [only(before, &keys[1]), only(after, &keys[0])]
}

/// Returns what a run reports, each with a hash of what it says. A finding that is told several times has a key for each time.
fn findings<'r>(report: &'r Report<'_>) -> List<(ReportedFinding<'r>, u64)> {
    let redaction = Redaction::of(report);
    let mut times: HashMap<u64, u32> = HashMap::default();
    let mut list = List::new();
    for placed in in_order(&report.diagnostics, &report.severities, &report.forest.sources) {
        let diagnostic = placed.diagnostic;
        let texts = redaction.texts(diagnostic);
        let detail = neutral(texts.detail, report);
        account::touch(texts.summary.len() + detail.len() + texts.address.map_or(0, |address| address.len()));
        account::grow(size_of::<ReportedFinding<'_>>() as u64 + 32);
        let mut hasher = DefaultHasher::new();
        (placed.severity.name(), diagnostic.code.id, texts.summary, &*detail, texts.address).hash(&mut hasher);
        placed.at.map(|(name, range)| (name, range.start.byte, range.end.byte)).hash(&mut hasher);
        let text = hasher.finish();
        (diagnostic.origin == Origin::Tool).hash(&mut hasher);
        let time = times.entry(hasher.finish()).or_default();
        time.hash(&mut hasher);
        *time += 1;
        list.push((ReportedFinding { key: hasher.finish(), placed, rule: None }, text));
    }
    list
}

/// Returns a detail without what every version says in its own way: the names of the tool and the version. A suggestion is
/// left out, too, because it is an extra that is made as long as there is time.
fn neutral<'d>(detail: Cow<'d, str>, report: &Report<'_>) -> Cow<'d, str> {
    account::touch(detail.len() * 4);
    let version = report.dialect.version.split('~').next().unwrap_or_default();
    let mut text = match detail.split_once(" Did you mean ") {
        Some((plain, _)) => Cow::Owned(plain.to_owned()),
        None => detail,
    };
    for word in [report.dialect.tool, version, &report.version] {
        if !word.is_empty() && text.contains(word) {
            text = Cow::Owned(text.replace(word, "?"));
        }
    }
    text
}
