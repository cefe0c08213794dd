//! Compares two adjacent tables: what the tool starts to report, what it stops reporting, and what is merged
//! differently.

use std::collections::BTreeMap;

use overfold_base::account;
use overfold_module::pipeline::Report;
use overfold_output::{self as output, FindingIdentity, ToolFinding};

/// A release at which something changes.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The first release with the new behaviour, in full.
    pub at: String,
    /// What the tool reports from this release on. A finding that is only worded differently is not included.
    pub appear: Vec<ToolFinding>,
    /// What it no longer reports.
    pub vanish: Vec<ToolFinding>,
    /// The objects whose effective configuration differs, sorted by address.
    pub differs: Vec<Difference>,
}

/// An object whose effective configuration differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its address.
    pub address: String,
    /// Its body before, as a JSON object; `None` if the object did not exist.
    pub before: Option<String>,
    /// Its body from this release on; `None` if the object no longer exists.
    pub after: Option<String>,
}

/// The compared parts of one table's run.
pub(super) struct Side {
    findings: Vec<ToolFinding>,
    /// Addresses and bodies, sorted by address.
    objects: Vec<(String, String)>,
}

impl Side {
    /// Collects the compared parts of one run.
    pub(super) fn of(report: &Report<'_>) -> Self {
        Self { findings: output::tool_findings(report), objects: output::effective_objects(report) }
    }

    /// What the tool reports, in the order in which it is written out, including what is not shown.
    pub(super) fn findings(&self) -> &[ToolFinding] {
        &self.findings
    }

    /// What the tool reports as far as it is shown, in the order in which it is written out.
    pub(super) fn shown(&self) -> Vec<ToolFinding> {
        self.findings.iter().filter(|finding| finding.severity.is_some()).cloned().collect()
    }
}

impl Boundary {
    /// Returns what changes at the release `at`; `None` if nothing does.
    pub(super) fn between(before: &Side, after: &Side, at: Option<&String>) -> Option<Self> {
        let appear = only_in(&after.findings, &before.findings);
        let vanish = only_in(&before.findings, &after.findings);
        let differs = differences(&before.objects, &after.objects);
        let is_one = !(appear.is_empty() && vanish.is_empty() && differs.is_empty());
        is_one.then(|| Self { at: at.cloned().unwrap_or_default(), appear, vanish, differs })
    }
}

/// Returns the findings of `these` that have no partner in `others`, in their order. A finding that occurs twice needs
/// two partners.
fn only_in(these: &[ToolFinding], others: &[ToolFinding]) -> Vec<ToolFinding> {
    account::work(((these.len() + others.len()) * 2) as u64);
    let mut partners: BTreeMap<&FindingIdentity, usize> = BTreeMap::new();
    for finding in others {
        *partners.entry(&finding.identity).or_default() += 1;
    }
    let unmatched = these.iter().filter(|finding| finding.severity.is_some()).filter(|finding| {
        match partners.get_mut(&finding.identity) {
            Some(left @ 1..) => {
                *left -= 1;
                false
            }
            _ => true,
        }
    });
    unmatched.inspect(|finding| account::grow(finding.json.0.len() as u64)).cloned().collect()
}

/// Returns the objects whose bodies differ. Several objects with one address are paired in order.
fn differences(before: &[(String, String)], after: &[(String, String)]) -> Vec<Difference> {
    let numbered = |objects: &[(String, String)]| -> Vec<usize> {
        let mut numbers: Vec<usize> = Vec::with_capacity(objects.len());
        for (at, (address, _)) in objects.iter().enumerate() {
            let earlier = at.checked_sub(1).and_then(|at| Some((objects.get(at)?, *numbers.get(at)?)));
            numbers.push(earlier.filter(|((other, _), _)| other == address).map_or(0, |(_, number)| number + 1));
        }
        numbers
    };
    let mut old = before.iter().zip(numbered(before)).peekable();
    let mut new = after.iter().zip(numbered(after)).peekable();
    let mut found = Vec::new();
    loop {
        let key = |((address, _), number): &(&(String, String), usize)| (address.clone(), *number);
        let order = match (old.peek(), new.peek()) {
            (None, None) => return found,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(old), Some(new)) => key(old).cmp(&key(new)),
        };
        let old = if order.is_le() { old.next() } else { None };
        let new = if order.is_ge() { new.next() } else { None };
        let Some(((address, _), _)) = old.or(new) else { return found };
        let (before, after) = (old.map(|((_, body), _)| body), new.map(|((_, body), _)| body));
        account::touch(address.len() + before.map_or(0, String::len) + after.map_or(0, String::len));
        if before != after {
            account::grow((before.map_or(0, String::len) + after.map_or(0, String::len)) as u64);
            let (before, after) = (before.cloned(), after.cloned());
            found.push(Difference { address: address.clone(), before, after });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, differences};

    fn objects(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(address, body)| ((*address).to_owned(), (*body).to_owned())).collect()
    }

    #[test]
    fn objects_are_paired_by_address_and_number() {
        let before = objects(&[("a", "1"), ("b", "1"), ("b", "2"), ("d", "1")]);
        let after = objects(&[("a", "1"), ("b", "1"), ("b", "3"), ("c", "1")]);
        let text = |text: &str| Some(text.to_owned());
        let expected = [("b", text("2"), text("3")), ("c", None, text("1")), ("d", text("1"), None)];
        let expected =
            expected.map(|(address, before, after)| Difference { address: address.to_owned(), before, after });
        assert_eq!(differences(&before, &after), expected);
        assert!(differences(&before, &before).is_empty());
    }
}
