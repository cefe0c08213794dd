//! The parser's state: its position among the tokens, which tokens are significant there, and how it recovers after an
//! error (syntax.md, sections 2 and 5).

use std::borrow::Cow;

use super::template::Part;
use super::token::{Kind, Token};
use crate::names::{exceeds, too_long_in};
use crate::stack;
use crate::tree::{Attribute, Block, Expr, ExprKind, ExprRef, Id, Ids, ObjectItem, Tree};
use crate::{Grammar, SyntaxLimits, codes};
use overfold_base::account::{self, List};
use overfold_base::diag::{Code, Diagnostic, Diagnostics, SourceId, TextRange};

/// Number of nesting levels entered between two checks of the remaining call stack.
const LEVELS_PER_STACK_CHECK: u32 = 16;

pub(super) struct Parser<'t> {
    pub text: &'t [u8],
    tokens: &'t [Token],
    /// Index of the next raw token.
    next: usize,
    /// Whether line ends are significant here.
    newlines: bool,
    /// The token at the end of the text.
    eof: Token,
    source: SourceId,
    found: Vec<Diagnostic>,
    /// The number of errors reported up to now, including those no longer in `found`.
    errors: usize,
    /// Set by the first error that requires skipping and never cleared: most kinds of later errors are not reported.
    recovering: bool,
    /// Whether a limit was exceeded: nothing more is read or reported.
    over_limit: bool,
    depth: u32,
    depth_limit: u32,
    /// The longest name that is accepted, in bytes.
    name_limit: u32,
    /// Whether the body that was parsed last sets an argument whose name is longer.
    pub(super) has_long_name: bool,
    pub(super) grammar: Grammar,
    /// The number of levels in the expression parsed last.
    pub(super) height: u32,
    pub(super) tree: Tree,
    /// The children of incomplete lists, innermost last; likewise for the fields below.
    pub(super) children: List<ExprRef>,
    pub(super) items: List<ObjectItem>,
    pub(super) parts: List<Part>,
    pub(super) attributes: List<Attribute>,
    pub(super) blocks: List<Block>,
}

impl<'t> Parser<'t> {
    /// Creates a parser at the first of `tokens`, whose last one is the end of the text. It fills the empty `tree`.
    pub(super) fn new(
        text: &'t [u8],
        tokens: &'t [Token],
        tree: Tree,
        limits: SyntaxLimits,
        grammar: Grammar,
        over_limit: bool,
    ) -> Self {
        let end = text.len() as u32;
        Self {
            text,
            tokens,
            next: 0,
            newlines: true,
            eof: tokens.last().copied().unwrap_or(Token { start: end, end, kind: Kind::Eof }),
            source: tree.source,
            found: Vec::new(),
            errors: 0,
            recovering: over_limit,
            over_limit,
            depth: 0,
            depth_limit: limits.depth,
            name_limit: limits.name_bytes,
            has_long_name: false,
            grammar,
            height: 0,
            tree,
            children: List::new(),
            items: List::new(),
            parts: List::new(),
            attributes: List::new(),
            blocks: List::new(),
        }
    }

    /// Returns the tree, and moves the diagnostics to `out` in the order in which they are reported.
    pub(super) fn finish(self, out: &mut Diagnostics) -> Tree {
        for diagnostic in self.found {
            out.push(diagnostic);
        }
        self.tree
    }

    // ---- tokens

    /// Returns the next significant token, and the index after it.
    fn look(&self) -> (Token, usize) {
        let mut at = self.next;
        while let Some(&token) = self.tokens.get(at) {
            at += 1;
            if token.kind != Kind::Newline || self.newlines {
                return (token, at);
            }
        }
        (self.eof, self.tokens.len())
    }

    /// Returns the next token without consuming it.
    pub(super) fn peek(&self) -> Token {
        self.look().0
    }

    /// Consumes the next token. At the end of the text this returns the end token every time.
    pub(super) fn read(&mut self) -> Token {
        let (token, next) = self.look();
        self.next = next;
        token
    }

    /// Consumes the next token if it is of this kind.
    pub(super) fn eat(&mut self, kind: Kind) -> Option<Token> {
        let (token, next) = self.look();
        (token.kind == kind).then(|| {
            self.next = next;
            token
        })
    }

    /// Returns the range of the last token consumed; before the first one, the range of the next token.
    pub(super) fn previous(&self) -> TextRange {
        match self.next.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(token) => token.range(),
            None => self.peek().range(),
        }
    }

    pub(super) fn bytes(&self, token: Token) -> &'t [u8] {
        token.range().bytes_of(self.text)
    }

    pub(super) fn is_word(&self, token: Token, word: &[u8]) -> bool {
        token.kind == Kind::Ident && self.bytes(token) == word
    }

    /// Sets whether line ends are significant from now on. Returns the previous setting, to be restored with this
    /// function.
    pub(super) fn set_newlines(&mut self, count: bool) -> bool {
        std::mem::replace(&mut self.newlines, count)
    }

    // ---- levels

    /// Runs `step` one level deeper. Reports a diagnostic and returns `None` if that is too deep.
    pub(super) fn descend<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= self.depth_limit {
            self.too_deep();
            return None;
        }
        self.depth += 1;
        let result =
            if self.depth.is_multiple_of(LEVELS_PER_STACK_CHECK) { stack::grow(|| step(self)) } else { step(self) };
        self.depth -= 1;
        Some(result)
    }

    /// Sets the height of the expression just parsed to one more than the higher of `lower` and the previous height.
    /// Chains of operators and steps grow upwards, which [`Self::descend`] does not see. Returns whether the height is
    /// within the limit.
    pub(super) fn grow_height(&mut self, lower: u32) -> bool {
        self.height = self.height.max(lower) + 1;
        if self.depth.saturating_add(self.height) > self.depth_limit {
            self.too_deep();
            return false;
        }
        true
    }

    fn too_deep(&mut self) {
        let range = self.peek().range();
        if !self.over_limit {
            let detail =
                "The input is nested too deeply for this service. Everything after this position is ignored.";
            self.found.push(Diagnostic::ours(&codes::TOO_DEEP, range.in_source(self.source), detail));
            self.errors += 1;
        }
        self.recovering = true;
        self.over_limit = true;
        self.next = self.tokens.len();
    }

    // ---- errors

    /// Returns the number of errors reported up to now, for [`Self::failed_since`].
    pub(super) fn mark(&self) -> usize {
        self.errors
    }

    /// Returns whether what was parsed since `mark` must be given up: an error was reported and the parser is
    /// recovering.
    pub(super) fn failed_since(&self, mark: usize) -> bool {
        self.recovering && self.errors > mark
    }

    /// Returns whether an error was reported since `mark`.
    pub(super) fn reported_since(&self, mark: usize) -> bool {
        self.errors > mark
    }

    pub(super) fn recovering(&self) -> bool {
        self.recovering
    }

    /// Suppresses most errors from now on.
    pub(super) fn set_recovering(&mut self) {
        self.recovering = true;
    }

    /// Reports an error that is never suppressed.
    pub(super) fn error(&mut self, code: &'static Code, range: TextRange, detail: impl Into<Cow<'static, str>>) {
        self.report(Diagnostic::tool(code, range.in_source(self.source), detail));
    }

    /// Reports an error that is never suppressed, with the range of the enclosing construct.
    pub(super) fn error_within(
        &mut self,
        code: &'static Code,
        range: TextRange,
        context: TextRange,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let context = context.in_source(self.source);
        self.report(Diagnostic::tool(code, range.in_source(self.source), detail).within(context));
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.over_limit {
            return;
        }
        self.errors += 1;
        // Diagnostics over the cap would be discarded anyway.
        if self.found.len() < Diagnostics::CAP {
            self.found.push(diagnostic);
        }
    }

    /// Whether a name of this length is accepted. If not, that is reported; it does not count as an error of the text.
    pub(super) fn accepts_name(&mut self, length: u32, range: TextRange) -> bool {
        if !exceeds(length as usize, self.name_limit) {
            return true;
        }
        if !self.over_limit && self.found.len() < Diagnostics::CAP {
            self.found.push(too_long_in(self.source, range, self.name_limit));
        }
        false
    }

    /// Returns the number of diagnostics collected, for [`Self::move_last_to`].
    pub(super) fn place(&self) -> usize {
        self.found.len()
    }

    /// Moves the diagnostics reported since `from` in front of those reported since the earlier `place`.
    pub(super) fn move_last_to(&mut self, place: usize, from: usize) {
        let count = self.found.len().saturating_sub(from);
        if let Some(tail) = self.found.get_mut(place..) {
            tail.rotate_right(count);
        }
    }

    pub(super) fn span(&self, range: TextRange) -> overfold_base::diag::Span {
        range.in_source(self.source)
    }

    // ---- recovery

    /// Skips to the matching closer, counting only nested openers of its kind, and consumes it; stops at the end of the
    /// text.
    pub(super) fn recover_to(&mut self, closer: Kind) -> Token {
        self.recovering = true;
        let opener = closer.opposite();
        let mut open = 0_usize;
        loop {
            let token = self.read();
            let kind = match token.kind {
                Kind::Control if closer == Kind::SeqEnd => Kind::Interp,
                other => other,
            };
            if Some(kind) == opener {
                open += 1;
            } else if kind == closer {
                if open == 0 {
                    return token;
                }
                open -= 1;
            } else if kind == Kind::Eof {
                return token;
            }
        }
    }

    /// Skips to the next opener of this kind, at any level, and past its closer.
    pub(super) fn recover_past(&mut self, opener: Kind) {
        loop {
            let kind = self.read().kind;
            if kind == opener || kind == Kind::Eof {
                break;
            }
        }
        if let Some(closer) = opener.opposite() {
            self.recover_to(closer);
        }
    }

    /// Skips to the first line end outside any bracket opened since, and consumes it.
    pub(super) fn recover_after_item(&mut self) {
        self.recovering = true;
        let mut open: Vec<Kind> = Vec::new();
        loop {
            match self.read().kind {
                Kind::Newline if open.is_empty() => return,
                Kind::Eof => return,
                kind @ (Kind::OBrace
                | Kind::OBrack
                | Kind::OParen
                | Kind::OQuote
                | Kind::OHeredoc
                | Kind::Interp
                | Kind::Control) => open.push(kind),
                kind
                @ (Kind::CBrace | Kind::CBrack | Kind::CParen | Kind::CQuote | Kind::CHeredoc | Kind::SeqEnd) => {
                    // A closer closes everything up to its opener; a stray one closes everything.
                    while let Some(last) = open.pop() {
                        if last.opposite() == Some(kind) {
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    // ---- the tree

    pub(super) fn add(&mut self, kind: ExprKind, range: TextRange) -> Id<Expr> {
        account::work(1);
        let id = Id::new(self.tree.exprs.len() as u32);
        self.tree.exprs.push(Expr { kind, range });
        id
    }

    /// Adds an expression without children.
    pub(super) fn leaf(&mut self, kind: ExprKind, range: TextRange) -> Id<Expr> {
        self.height = 1;
        self.add(kind, range)
    }

    pub(super) fn placeholder(&mut self, range: TextRange) -> Id<Expr> {
        self.leaf(ExprKind::Placeholder, range)
    }

    pub(super) fn range_of(&self, id: Id<Expr>) -> TextRange {
        self.tree.exprs.get(id.index()).map_or_else(TextRange::default, |expr| expr.range)
    }

    /// Returns the kind of an expression of this tree.
    pub(super) fn kind_of(&self, id: Id<Expr>) -> ExprKind {
        self.tree.exprs.get(id.index()).map_or(ExprKind::Placeholder, |expr| expr.kind)
    }

    /// Makes a list of the children added since there were `base` of them.
    pub(super) fn list_from(&mut self, base: usize) -> Ids<ExprRef> {
        let start = self.tree.lists.len() as u32;
        self.tree.lists.reserve(self.children.len() - base);
        self.tree.lists.extend(self.children.drain(base..));
        Ids::new(start, self.tree.lists.len() as u32)
    }
}

/// Returns the range from the start of `a` to the end of `b`, as the tool forms ranges: not necessarily the union.
pub(super) const fn between(a: TextRange, b: TextRange) -> TextRange {
    TextRange::new(a.start, b.end)
}
