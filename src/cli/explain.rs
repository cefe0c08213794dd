//! `overfold explain [CODE]`: what the code of a diagnostic means.

use std::fmt::Write as _;

use clap::Args;

use super::colour::{self, TextKind};
use super::{Failure, Outcome};
use crate::api::v1::{CodeEntry, CodeList, Origin, Severity};
use overfold_engine::options::similar_code;

/// Which code to explain.
#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// The code, such as override/missing-base, or the start of codes, such as override [default: print the list of
    /// codes]
    code: Option<String>,
}

/// Prints the list of codes, those of one stage, or everything about one of them.
///
/// # Errors
/// Fails if there is no such code.
pub(super) fn run(args: &ExplainArgs) -> Result<Outcome, Failure> {
    let mut text = String::new();
    match &args.code {
        // Writing to a string cannot fail.
        None => {
            for entry in CodeList::known().diagnostics {
                let _ = writeln!(text, "{}: {}", entry.code, entry.title);
            }
        }
        Some(code) if of_stage(code).next().is_some() => {
            for entry in of_stage(code) {
                let _ = writeln!(text, "{}: {}", entry.code, entry.title);
            }
        }
        Some(code) => {
            let entry = CodeEntry::find(code).ok_or_else(|| {
                Failure::Message(match similar_code(code) {
                    Some(like) => format!(
                        "no diagnostic has the code {code:?}; did you mean {like:?}? Type: overfold explain {like}"
                    ),
                    None => format!("no diagnostic has the code {code:?}; `overfold explain` lists the codes"),
                })
            })?;
            let _ = describe(&mut text, &entry);
        }
    }
    colour::print(TextKind::Explanation, text.as_bytes())?;
    Ok(Outcome::Fine)
}

/// Iterates over the codes of a stage: `override`, `override/` or `override/*`.
fn of_stage(text: &str) -> impl Iterator<Item = CodeEntry> {
    let stage = text.trim_end_matches('*').trim_end_matches('/');
    let all = CodeList::known().diagnostics.into_iter();
    all.filter(move |entry| entry.code.split_once('/').is_some_and(|(of, _)| of == stage))
}

fn describe(text: &mut String, entry: &CodeEntry) -> std::fmt::Result {
    let severity = match entry.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let origin = match entry.origin {
        Origin::Tool => "reported by the tool, too",
        Origin::ToolLater => "reported by the tool, too, but later",
        Origin::Overfold => "reported by overfold only",
    };
    writeln!(text, "{}: {}\n  {severity}, {origin}\n\n{}", entry.code, entry.title, entry.meaning)?;
    if let Some(dialects) = entry.dialects {
        writeln!(text, "\nRecorded for: {}", dialects.join(", "))?;
    }
    let Some(example) = &entry.example else { return Ok(()) };
    let version = example.version.map_or_else(String::new, |version| format!(" {version}"));
    writeln!(text, "\nExample ({}{version}):", example.dialect)?;
    for (path, content) in example.files {
        writeln!(text, "\n  {path}")?;
        content.lines().try_for_each(|line| writeln!(text, "    {line}"))?;
    }
    let at = example.at.map_or_else(String::new, |at| format!("{at}: "));
    writeln!(text, "\n  {at}{}\n  {}", example.summary, example.detail)
}
