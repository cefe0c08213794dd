//! `overfold parse FILE`: one file's syntax tree and diagnostics as JSON.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;

use super::{Failure, Outcome, print};
use crate::diag::Diagnostics;
use crate::output::syntax_tree;
use crate::settings::LimitSettings;
use crate::syntax::Forest;

/// Which file to parse.
#[derive(Args, Debug)]
pub(super) struct ParseArgs {
    /// A file: in JSON syntax if its name ends in .json, else in native syntax
    file: PathBuf,
    #[command(flatten)]
    limits: LimitSettings,
}

/// Prints one JSON object: `syntax`, `valid`, `diagnostics`, and `body` (native syntax) or `tree` (JSON syntax).
///
/// # Errors
/// Fails if the file cannot be read or is over the limit for a file.
pub(super) fn run(args: &ParseArgs) -> Result<Outcome, Failure> {
    let failure = |error| Failure::Io { what: args.file.display().to_string(), error };
    let limit = args.limits.max_file_bytes;
    let mut text = Vec::new();
    let file = File::open(&args.file).map_err(failure)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut text).map_err(failure)?;
    if text.len() as u64 > limit {
        let shown = args.file.display();
        return Err(Failure::Message(format!("{shown} is over the limit max-file-bytes of {limit} bytes")));
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let forest = Forest::new(args.limits.syntax());
    let mut problems = Diagnostics::new();
    let is_json = args.file.extension().is_some_and(|extension| extension == "json");
    let source = if is_json {
        forest.parse_json(&name, text.into(), &mut problems)
    } else {
        forest.parse_native(&name, text.into(), &mut problems)
    };
    let mut document = syntax_tree::document(&forest, source, &problems);
    document.push(b'\n');
    print(&document)?;
    Ok(if problems.has_errors() { Outcome::Errors } else { Outcome::Fine })
}
