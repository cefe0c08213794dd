//! `overfold explain [CODE]`: what the code of a diagnostic means.

use std::fmt::Write as _;

use clap::Args;

use super::{Failure, Outcome, print};
use crate::api::v1::{CodeEntry, CodeList};
use crate::nearest::nearest;

/// Which code to explain.
#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// The code, such as override/missing-base [default: print the list of codes]
    code: Option<String>,
}

/// Prints the list of codes, or everything about one of them.
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
        Some(code) => {
            let entry = CodeEntry::find(code).ok_or_else(|| {
                let known = CodeList::known().diagnostics;
                let like = nearest(code, known.iter().map(|entry| entry.code));
                let like = like.map_or_else(String::new, |like| format!(" (did you mean {like:?}?)"));
                Failure::Message(format!(
                    "no diagnostic has the code {code:?}{like}; `overfold explain` lists the codes"
                ))
            })?;
            let _ = describe(&mut text, &entry);
        }
    }
    print(text.as_bytes())?;
    Ok(Outcome::Fine)
}

fn describe(text: &mut String, entry: &CodeEntry) -> std::fmt::Result {
    let severity = format!("{:?}", entry.severity).to_lowercase();
    let origin = format!("{:?}", entry.origin).to_lowercase();
    writeln!(text, "{}: {}\n  {severity}, origin {origin}\n\n{}", entry.code, entry.title, entry.meaning)?;
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
