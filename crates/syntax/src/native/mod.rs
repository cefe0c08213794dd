//! HCL native syntax: scanner, recursive descent parser, error recovery (syntax.md, sections 1 to 5).
//!
//! First the whole text is scanned into tokens (`scan`), then invalid tokens are reported (`check`), then a single
//! parser builds the tree. After an error the parser recovers exactly as the tool does, so that the rest of a broken
//! file and the further diagnostics are the same as the tool's.

mod body;
mod check;
mod collection;
mod expr;
mod number;
mod parser;
mod reference;
mod scan;
mod template;
mod text;
mod token;
mod unicode;

use bytes::Bytes;

use super::tree::{Root, Tree};
use super::{Grammar, SyntaxLimits, codes};
use overfold_base::account::List;
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId};
use parser::Parser;
pub use reference::reference;
use scan::{Mode, Scanned};
use token::Kind;
pub use unicode::identifier_length;

/// Parses a file: attributes and blocks. Returns the tree and the column breaks (see [`overfold_base::files::Source::breaks`]).
pub fn file(
    source: SourceId,
    text: Bytes,
    limits: SyntaxLimits,
    grammar: Grammar,
    out: &mut Diagnostics,
) -> (Tree, Vec<u32>) {
    read(source, text, Mode::Normal, limits, grammar, out, |parser| Root::Body(parser.body(Kind::Eof)))
}

/// Returns the number of tokens in a file's text, including the end token. This runs the scanner alone, for benchmarks.
pub fn count_tokens(text: &[u8], limits: SyntaxLimits, grammar: Grammar) -> usize {
    scan::scan(text, Mode::Normal, limits.tokens, grammar).tokens.len()
}

/// Parses a text that is one expression.
pub fn expression(
    source: SourceId,
    text: Bytes,
    limits: SyntaxLimits,
    grammar: Grammar,
    out: &mut Diagnostics,
) -> (Tree, Vec<u32>) {
    read(source, text, Mode::Normal, limits, grammar, out, |parser| {
        // Line ends are skipped, as in parentheses.
        parser.set_newlines(false);
        let expr = parser.expression();
        let next = parser.peek();
        if next.kind != Kind::Eof && !parser.recovering() {
            parser.error(
                &codes::EXTRA_AFTER_EXPRESSION,
                next.range(),
                "Only one expression is allowed here. Remove what follows it, or join the two with an operator.",
            );
        }
        Root::Expr(expr)
    })
}

/// Parses a text that is one template: a string of the JSON syntax, a template file.
pub fn template(
    source: SourceId,
    text: Bytes,
    limits: SyntaxLimits,
    grammar: Grammar,
    out: &mut Diagnostics,
) -> (Tree, Vec<u32>) {
    read(source, text, Mode::Bare, limits, grammar, out, |parser| Root::Expr(parser.bare_template()))
}

fn read(
    source: SourceId,
    text: Bytes,
    mode: Mode,
    limits: SyntaxLimits,
    grammar: Grammar,
    out: &mut Diagnostics,
    parse: impl FnOnce(&mut Parser<'_>) -> Root,
) -> (Tree, Vec<u32>) {
    // A cheap clone that shares the bytes: the tree holds one, the parser reads the other.
    let shared = text.clone();
    let Scanned { tokens, breaks, too_many } = scan::scan(&shared, mode, limits.tokens, grammar);
    check::check(source, &shared, &tokens, out);
    if too_many {
        let at = tokens.last().copied().map(|token| token.range().in_source(source));
        let detail = format!(
            "The input has more than {} tokens, the limit of this service. Everything after this position is ignored.",
            limits.tokens
        );
        out.push(Diagnostic::ours(&codes::TOO_MANY_TOKENS, at, detail));
    }
    let tree = empty(source, text, tokens.len());
    let mut parser = Parser::new(&shared, &tokens, tree, limits, grammar, too_many);
    let root = parse(&mut parser);
    let mut tree = parser.finish(out);
    tree.root = root;
    (tree, breaks.into_vec())
}

/// Creates a tree without nodes, with capacity for the nodes of a text of about `tokens` tokens.
fn empty(source: SourceId, text: Bytes, tokens: usize) -> Tree {
    Tree {
        attributes: List::with_capacity(tokens / 16),
        exprs: List::with_capacity(tokens / 3),
        steps: List::with_capacity(tokens / 6),
        ..Tree::empty(source, text)
    }
}
