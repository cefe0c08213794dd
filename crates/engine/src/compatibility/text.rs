//! Writes the comparison as a human-readable table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::echo;
use overfold_output::{FindingIdentity, ToolFinding};

use super::{Boundary, Comparison, Tool, Verdict, VersionRange};

/// Writes a table of the ranges, the changes at each boundary, a summary of the module's own constraints, and the verdict
/// in the last line. A finding is listed once: where it begins, with the release from which it is gone.
pub fn text(all: &Comparison) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write(&mut text, all);
    text
}

fn write(text: &mut String, all: &Comparison) -> std::fmt::Result {
    let verb = all.stage.name();
    let tools: Vec<List<Listed<'_>>> = all.tools.iter().map(listed).collect();
    let everywhere = everywhere(&tools);
    for (tool, findings) in all.tools.iter().zip(&tools) {
        let names: Vec<String> = tool.ranges.iter().map(|range| name(&range.releases)).collect();
        let width = names.iter().map(String::len).max().unwrap_or_default();
        writeln!(text, "{}", tool.dialect)?;
        for (range, name) in tool.ranges.iter().zip(names) {
            let verdict = match range.verdict {
                Verdict::Loads => format!("{verb}s the module"),
                Verdict::Excluded => format!("does not {verb} it: its own constraints exclude this version"),
                Verdict::Fails => format!("does not {verb} it"),
            };
            writeln!(text, "  {name:width$}  {verdict}")?;
        }
        let oldest = tool.ranges.first().map_or("", |range| &range.releases.from);
        let own = findings.iter().filter(|found| !everywhere.contains(&found.key()));
        let mut own = own.peekable();
        if own.peek().is_some_and(|found| found.from.is_none()) {
            writeln!(text, "  in {oldest}")?;
        }
        while let Some(found) = own.next_if(|found| found.from.is_none()) {
            write_finding(text, "    ", found)?;
        }
        for boundary in &tool.boundaries {
            let begins = |found: &&Listed<'_>| found.from == Some(&boundary.at);
            if own.peek().is_some_and(begins) || !boundary.differs.is_empty() {
                writeln!(text, "  from {} on", boundary.at)?;
            }
            while let Some(found) = own.next_if(begins) {
                write_finding(text, "    + ", found)?;
            }
            write_differences(text, boundary)?;
        }
        writeln!(text)?;
    }
    if !everywhere.is_empty() {
        writeln!(text, "in every version")?;
        let first = tools.first().map_or(&[][..], |list| &**list);
        for found in first.iter().filter(|found| everywhere.contains(&found.key())) {
            write_finding(text, "  ", found)?;
        }
        writeln!(text)?;
    }
    let required = &all.required;
    writeln!(text, "required version for {}", all.dialect)?;
    for stated in required.stated.iter().touched_by(|stated| stated.text.len()) {
        writeln!(text, "{}", echo::line(&format!("  {:?} ({})", stated.text, stated.range.line)))?;
    }
    writeln!(text, "  {}", required.summary)?;
    required.note.iter().try_for_each(|note| writeln!(text, "  note: {note}"))?;
    writeln!(text)?;
    writeln!(text, "{}", verdict(all))
}

/// Says in one line what came of it.
fn verdict(all: &Comparison) -> String {
    let required = &all.required;
    let verb = all.stage.name();
    let fits = match (required.stated.is_empty(), required.too_wide.is_empty(), required.too_narrow.is_empty()) {
        (true, ..) => "it has no required_version",
        (_, true, true) => "its required_version fits",
        (_, false, true) => "its required_version is too wide",
        (_, true, false) => "its required_version is too narrow",
        (_, false, false) => "its required_version is too wide and too narrow",
    };
    let does = if all.loads { format!("{verb}s") } else { format!("does not {verb}") };
    format!("verdict: {} {} {does} the module; {fits}", all.dialect, all.exact_version)
}

/// A finding, and the releases that report it.
struct Listed<'t> {
    finding: &'t ToolFinding,
    /// The first release that reports it; `None` for the oldest.
    from: Option<&'t String>,
    /// The first release that no longer does.
    until: Option<&'t String>,
    /// How often it is reported.
    times: usize,
}

impl<'t> Listed<'t> {
    /// What makes it the same in several tools.
    fn key(&self) -> (&'t str, usize) {
        (&self.finding.line, self.times)
    }
}

/// Returns what the releases of a tool report, in order of the first release that does.
fn listed(tool: &Tool) -> List<Listed<'_>> {
    let mut list: List<Listed<'_>> = List::new();
    // Those that are still reported, by what identifies them.
    let mut open: BTreeMap<(&FindingIdentity, &str), usize> = BTreeMap::new();
    let first = tool.first.iter().map(|finding| (None, finding));
    add(&mut list, &mut open, first);
    for boundary in &tool.boundaries {
        for finding in boundary.vanish.iter().charged(8) {
            let known = open.remove(&(&finding.identity, &*finding.line));
            if let Some(found) = known.and_then(|at| list.get_mut(at)) {
                found.until = Some(&boundary.at);
            }
        }
        add(&mut list, &mut open, boundary.appear.iter().map(|finding| (Some(&boundary.at), finding)));
    }
    list
}

/// Adds findings that one release begins to report.
fn add<'t>(
    list: &mut List<Listed<'t>>,
    open: &mut BTreeMap<(&'t FindingIdentity, &'t str), usize>,
    findings: impl Iterator<Item = (Option<&'t String>, &'t ToolFinding)>,
) {
    for (from, finding) in findings.charged(8) {
        let key = (&finding.identity, &*finding.line);
        let same = open.get(&key).and_then(|at| list.get_mut(*at)).filter(|found| found.from == from);
        if let Some(same) = same {
            same.times += 1;
            continue;
        }
        open.insert(key, list.len());
        list.push(Listed { finding, from, until: None, times: 1 });
    }
}

/// Returns what every release of every tool reports.
fn everywhere<'t>(tools: &[List<Listed<'t>>]) -> BTreeSet<(&'t str, usize)> {
    let always = |findings: &List<Listed<'t>>| -> BTreeSet<(&'t str, usize)> {
        let always = findings.iter().charged_at_once(8).filter(|found| found.from.is_none() && found.until.is_none());
        always.map(Listed::key).collect()
    };
    let mut all = tools.iter().map(always);
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, own| common.intersection(&own).copied().collect())
}

fn write_finding(text: &mut String, start: &str, found: &Listed<'_>) -> std::fmt::Result {
    account::touch(found.finding.line.len());
    let times = if found.times > 1 { format!(" ({} times)", found.times) } else { String::new() };
    let until = found.until.map_or_else(String::new, |until| format!(", until {until}"));
    writeln!(text, "{}", echo::line(&format!("{start}{}{times}{until}", found.finding.line)))
}

fn write_differences(text: &mut String, boundary: &Boundary) -> std::fmt::Result {
    for difference in boundary.differs.iter().touched_by(|difference| difference.address.len()) {
        let what = match (&difference.before, &difference.after) {
            (None, _) => "appears",
            (_, None) => "disappears",
            _ => "changes",
        };
        writeln!(text, "{}", echo::line(&format!("    ~ {} {what}", difference.address)))?;
    }
    Ok(())
}

fn name(range: &VersionRange) -> String {
    if range.from == range.to { range.from.clone() } else { format!("{} to {}", range.from, range.to) }
}
