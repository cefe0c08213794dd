//! HCL native syntax: scanner, recursive descent, recovery.

use bytes::Bytes;

use super::SyntaxLimits;
use super::tree::{Body, Expr, ExprKind, Id, Ids, Root, Tree};
use crate::diag::{Diagnostics, SourceId, TextRange};

/// Reads a file: attributes and blocks. Gives the tree and the column breaks (see [`crate::files::Source::breaks`]).
pub fn file(source: SourceId, text: Bytes, limits: SyntaxLimits, out: &mut Diagnostics) -> (Tree, Vec<u32>) {
    let _ = (limits, out);
    (empty(source, text, true), Vec::new())
}

/// Reads a text that is one expression.
pub fn expression(source: SourceId, text: Bytes, limits: SyntaxLimits, out: &mut Diagnostics) -> (Tree, Vec<u32>) {
    let _ = (limits, out);
    (empty(source, text, false), Vec::new())
}

/// Reads a text that is a template as a whole: a string of the JSON syntax, a template file.
pub fn template(source: SourceId, text: Bytes, limits: SyntaxLimits, out: &mut Diagnostics) -> (Tree, Vec<u32>) {
    let _ = (limits, out);
    (empty(source, text, false), Vec::new())
}

fn empty(source: SourceId, text: Bytes, body: bool) -> Tree {
    let all = TextRange::new(0, text.len() as u32);
    let end = TextRange::new(all.end, all.end);
    Tree {
        source,
        text,
        root: if body { Root::Body(Id::new(0)) } else { Root::Expr(Id::new(0)) },
        decoded: String::new(),
        bodies: vec![Body { attributes: Ids::EMPTY, blocks: Ids::EMPTY, range: all, end_range: end }],
        attributes: Vec::new(),
        blocks: Vec::new(),
        labels: Vec::new(),
        exprs: vec![Expr { kind: ExprKind::Placeholder, range: all }],
        lists: Vec::new(),
        steps: Vec::new(),
        items: Vec::new(),
        fors: Vec::new(),
    }
}
