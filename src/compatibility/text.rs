//! Writes the comparison as a human-readable table.

use std::fmt::Write as _;

use overfold_base::account;
use overfold_base::echo;

use super::{Boundary, Compatibility, Verdict, VersionRange};

/// Writes a table of the ranges, the changes at each boundary, and a summary of the module's own constraints.
pub fn text(all: &Compatibility) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write(&mut text, all);
    text
}

fn write(text: &mut String, all: &Compatibility) -> std::fmt::Result {
    let verb = all.stage.name();
    for tool in &all.tools {
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
        if !tool.first.is_empty() {
            let oldest = tool.ranges.first().map_or("", |range| &range.releases.from);
            writeln!(text, "  in {oldest}")?;
            for finding in &tool.first {
                account::touch(finding.line.len());
                writeln!(text, "{}", echo::line(&format!("    {}", finding.line)))?;
            }
        }
        tool.boundaries.iter().try_for_each(|boundary| write_boundary(text, boundary))?;
        writeln!(text)?;
    }
    let required = &all.required;
    writeln!(text, "required version for {}", all.dialect)?;
    for stated in &required.stated {
        account::touch(stated.text.len());
        writeln!(text, "{}", echo::line(&format!("  {:?} ({})", stated.text, stated.range.line)))?;
    }
    writeln!(text, "  {}", required.summary)?;
    required.note.iter().try_for_each(|note| writeln!(text, "  note: {note}"))
}

fn write_boundary(text: &mut String, boundary: &Boundary) -> std::fmt::Result {
    writeln!(text, "  from {} on", boundary.at)?;
    for (sign, findings) in [('-', &boundary.vanish), ('+', &boundary.appear)] {
        for finding in findings {
            account::touch(finding.line.len());
            writeln!(text, "{}", echo::line(&format!("    {sign} {}", finding.line)))?;
        }
    }
    for difference in &boundary.differs {
        account::touch(difference.address.len());
        let what = match (&difference.before, &difference.after) {
            (None, _) => "is there",
            (_, None) => "is no longer there",
            _ => "has another configuration",
        };
        writeln!(text, "{}", echo::line(&format!("    ~ {} {what}", difference.address)))?;
    }
    Ok(())
}

fn name(range: &VersionRange) -> String {
    if range.from == range.to { range.from.clone() } else { format!("{} to {}", range.from, range.to) }
}
