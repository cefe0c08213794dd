//! `overfold versions`: the versions of the tools, and in what they differ.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use super::{Failure, Outcome, print};
use overfold_dialect as dialect;

use crate::api::v1::{DifferenceRange, KnownFrom, ShownIn, VersionDifference, VersionList};

/// How to show them.
#[derive(Args, Debug)]
pub(super) struct VersionArgs {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// Text for people: the release lines, and what was recorded of them
    Text,
    /// The answer of the service, as JSON
    Json,
    /// A page with every difference between versions
    Markdown,
}

/// Prints the versions.
///
/// # Errors
/// Fails if nothing can be printed.
pub(super) fn run(args: &VersionArgs) -> Result<Outcome, Failure> {
    let list = VersionList::known();
    let text = match args.format {
        Format::Text => text(&list),
        Format::Json => {
            serde_json::to_string_pretty(&list).map_err(|error| Failure::Message(error.to_string()))? + "\n"
        }
        Format::Markdown => markdown(&list),
    };
    print(text.as_bytes())?;
    Ok(Outcome::Fine)
}

fn text(list: &VersionList) -> String {
    let mut text = String::new();
    for tool in &list.tools {
        let _ = writeln!(text, "{}, default {}", tool.dialect, tool.default_version);
        for line in &tool.lines {
            let recorded = if line.recorded.is_empty() { "nothing".to_owned() } else { line.recorded.join(", ") };
            let _ = writeln!(text, "  {:<5} newest {:<11} recorded: {recorded}", line.line, line.newest);
        }
    }
    let _ = writeln!(
        text,
        "{} differences between versions are followed; --format markdown lists them",
        list.differences.len()
    );
    text
}

/// What a page with all differences says before it lists them; `TOOLS` stands for the names of the tools.
const HEAD: &str = "# What changes from version to version

TOOLS read the same configuration differently from release to release. This page lists every difference
that overfold follows; `overfold versions --format markdown` prints it, and `GET /v1/versions` has it as data. A request names
the version that it follows (`\"version\": \"1.9\"`), or asks for the one that its repository means (`\"version\": \"auto\"`,
[dialects](dialects.md)). [`overfold upgrade`](upgrade.md) says which of these differences a configuration shows.

Of each line, releases were run and their answers recorded; the newest stands for its line. Where releases of one line differ,
the range of the difference says so.
";

fn markdown(list: &VersionList) -> String {
    let tools: Vec<&str> =
        list.tools.iter().map(|tool| dialect::rows(tool.dialect).map_or(tool.dialect, |rows| rows.tool)).collect();
    let mut text = HEAD.replace("TOOLS", &tools.join(" and "));
    for (tool, name) in list.tools.iter().zip(&tools) {
        let _ = write!(text, "\n## Releases of {name}\n\n| Line | Newest | Recorded |\n| --- | --- | --- |\n");
        for line in &tool.lines {
            let _ = writeln!(text, "| {} | {} | {} |", line.line, line.newest, line.recorded.join(", "));
        }
        let _ = writeln!(text, "\nThe default is {}.", tool.default_version);
    }
    for (kind, title) in [
        (ShownIn::Load, "Loading a module"),
        (ShownIn::Validate, "Validating a tree of modules"),
        (ShownIn::Plan, "Planning it"),
    ] {
        let shown: Vec<&VersionDifference> =
            list.differences.iter().filter(|difference| difference.shows_in == kind).collect();
        if shown.is_empty() {
            continue;
        }
        let columns = tools.join(" | ");
        let _ = write!(text, "\n## {title}\n\n| What | {columns} | Known from | Name |\n|");
        text.push_str(&" --- |".repeat(tools.len() + 3));
        text.push('\n');
        for difference in shown {
            let ranges =
                |dialect: &str| difference.ranges.get(dialect).map_or_else(|| "never".to_owned(), |all| ranges(all));
            let known = match difference.known_from {
                KnownFrom::Recorded => "recorded",
                KnownFrom::Read => "read",
            };
            let _ = writeln!(
                text,
                "| {} | {} | {known}; {} | `{}` |",
                cell(difference.summary),
                list.tools.iter().map(|tool| ranges(tool.dialect)).collect::<Vec<_>>().join(" | "),
                cell(difference.source),
                cell(difference.id),
            );
        }
    }
    text
}

/// Returns a text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Writes ranges; where one follows upon another, the same thing goes on in another form.
fn ranges(ranges: &[DifferenceRange]) -> String {
    let mut text = String::new();
    let mut before: Option<&DifferenceRange> = None;
    for range in ranges {
        let goes_on = before.is_some_and(|before| before.to.is_some() && before.to == range.from);
        let written = match (&range.from, &range.to) {
            (Some(from), None) if goes_on => format!(", in another form since {from}"),
            (Some(from), Some(to)) if goes_on => format!(", in another form from {from} until before {to}"),
            (None, None) => "always".to_owned(),
            (Some(from), None) => format!("since {from}"),
            (None, Some(to)) => format!("before {to}"),
            (Some(from), Some(to)) => format!("from {from} until before {to}"),
        };
        if before.is_some() && !goes_on {
            text.push_str("; ");
        }
        text.push_str(&written);
        before = Some(range);
    }
    text
}
