//! HCL 1, the old version of the tools' configuration language, and its JSON form.
//!
//! An object is a list of items; an item has one or more keys and a value: text, number, boolean, list or object. Keys
//! may repeat, commas between items are optional, and `x { … }` and `x = { … }` are the same. Texts may contain
//! interpolations, `${…}`, which are kept but not parsed. Whether a text is native or JSON is recognised by its
//! content.
//!
//! The shared tree holds both forms: every object is both a body and an expression, see [`Tree::object_bodies`]. An error costs
//! only the item that contains it. The tool stops at its first error, so the others are reported as this service's own.

mod ast;
mod build;
pub mod codes;
mod cursor;
mod json;
mod letters;
mod parser;
mod problem;
mod scan;
#[cfg(test)]
mod tests;
mod text;
mod token;

use bytes::Bytes;

use super::SyntaxLimits;
use super::names::too_long_in;
use super::tree::Tree;
use cursor::Cursor;
use overfold_base::account::List;
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId};
use problem::Problems;

pub use text::{Number, interpolated_names, is_interpolated, number};

/// Returns whether the tool treats a text as JSON: its first non-blank character is `{`.
pub fn is_json(text: &[u8]) -> bool {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C);
    let at = text.iter().take_while(blank).count();
    text.get(at) == Some(&b'{')
}

/// Parses a text. `name` appears in the titles of diagnostics. Always produces a tree whose root is a body.
pub fn file(source: SourceId, name: &str, text: Bytes, limits: SyntaxLimits, out: &mut Diagnostics) -> Tree {
    // A cheap clone that shares the bytes: the tree holds one, the parser reads the other.
    let shared = text.clone();
    let json = is_json(&shared);
    let mut problems = Problems::default();
    let (tokens, too_many) = scan::scan(&shared, json, limits.tokens, &mut problems);
    let cursor = Cursor::new(&shared, &tokens, limits.depth, problems);
    let (root, cursor) = if json {
        let mut parser = json::Parser::new(cursor);
        (parser.file(), parser.cursor)
    } else {
        let mut parser = parser::Parser::new(cursor, &tokens);
        (parser.file(), parser.cursor)
    };
    let Cursor { mut problems, ast, too_deep, .. } = cursor;
    if too_many {
        // The end inserted by the scanner is not an error of the text.
        problems.of_parser.clear();
        let at = tokens.last().map(|token| token.range().in_source(source));
        let detail = format!(
            "The input has more than {} tokens, the limit of this service. Everything after this position is ignored.",
            limits.tokens
        );
        out.push(Diagnostic::ours(&super::codes::TOO_MANY_TOKENS, at, detail));
    }
    if let Some(at) = too_deep {
        let detail = "The input is nested too deeply for this service. Everything after this position is ignored.";
        out.push(Diagnostic::ours(&super::codes::TOO_DEEP, at.in_source(source), detail));
    }
    let built = build::build(&ast, root, empty(source, text, tokens.len()), json, limits.name_bytes, &mut problems);
    let (tree, long_names) = built;
    problems.report(name, source, &shared, json, out);
    for place in long_names {
        out.push(too_long_in(source, place, limits.name_bytes));
    }
    tree
}

/// Creates a tree without nodes, with capacity for the nodes of a text of about `tokens` tokens.
fn empty(source: SourceId, text: Bytes, tokens: usize) -> Tree {
    Tree {
        attributes: List::with_capacity(tokens / 6),
        exprs: List::with_capacity(tokens / 2),
        items: List::with_capacity(tokens / 6),
        hcl1: true,
        ..Tree::empty(source, text)
    }
}
