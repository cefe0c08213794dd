//! Finds what only one of two runs reports, with its place.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use foldhash::HashMap;

use super::ReportedFinding;
use crate::diagnostics::in_order;
use crate::redaction::Redaction;
use overfold_base::account::{self, List};
use overfold_module::pipeline::Report;

/// Returns what only the first run reports, and what only the second one does.
pub(super) fn unmatched<'r>(before: &'r Report<'_>, after: &'r Report<'_>) -> [List<ReportedFinding<'r>>; 2] {
    let mut sides = [findings(before), findings(after)];
    let keys = sides.each_ref().map(|list| {
        account::work(list.len() as u64);
        list.iter().map(|finding| finding.key).collect::<foldhash::HashSet<u64>>()
    });
    let [first, second] = &mut sides;
    first.retain(|finding| !keys[1].contains(&finding.key));
    second.retain(|finding| !keys[0].contains(&finding.key));
    sides
}

/// Returns what a run reports. A finding that is told several times has a key for each time.
fn findings<'r>(report: &'r Report<'_>) -> List<ReportedFinding<'r>> {
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
        let time = times.entry(hasher.finish()).or_default();
        time.hash(&mut hasher);
        *time += 1;
        list.push(ReportedFinding { key: hasher.finish(), placed, rule: None });
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
