//! The position of a parser among the tokens, and its nesting depth.

use super::ast::{Ast, Item, Key, NodeId, NodeKind, Run};
use super::problem::{Problem, Problems};
use super::text;
use super::token::{Kind, Token};
use overfold_base::diag::{Code, Diagnostics, TextRange};
use std::borrow::Cow;

/// Number of nesting levels entered between two checks of the remaining call stack.
const LEVELS_PER_STACK_CHECK: u32 = 16;

pub(super) struct Cursor<'t> {
    pub text: &'t [u8],
    tokens: &'t [Token],
    /// The index of the next token.
    next: usize,
    depth: u32,
    depth_limit: u32,
    /// The token at which the text became too deep; nothing is read after it.
    pub(super) too_deep: Option<TextRange>,
    pub(super) problems: Problems,
    pub(super) ast: Ast,
    /// The items of incomplete objects, innermost last; likewise for the fields below.
    pub(super) items: Vec<Item>,
    pub(super) elements: Vec<NodeId>,
    pub(super) keys: Vec<Key>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t [u8], tokens: &'t [Token], depth_limit: u32, problems: Problems) -> Self {
        Self {
            text,
            tokens,
            next: 0,
            depth: 0,
            depth_limit,
            too_deep: None,
            problems,
            ast: Ast::default(),
            items: Vec::new(),
            elements: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Returns the next token without consuming it. At the end this is the end token every time.
    pub(super) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    /// Returns the token `ahead` tokens after the next one.
    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        let end = self.text.len() as u32;
        let last = Token { kind: Kind::Eof, start: end, end, leads: true };
        match self.tokens.get(self.next.saturating_add(ahead)) {
            Some(&token) => token,
            None => self.tokens.last().copied().unwrap_or(last),
        }
    }

    /// Consumes the next token.
    pub(super) fn read(&mut self) -> Token {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len());
        token
    }

    /// Enters a level. Returns `false` if that is too deep; in that case reading stops here.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= self.depth_limit {
            self.too_deep.get_or_insert(self.peek().range());
            self.next = self.tokens.len();
            return false;
        }
        self.depth += 1;
        true
    }

    /// Leaves a level.
    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Returns whether it is time to check that the call stack has space left.
    pub(super) fn needs_stack_check(&self) -> bool {
        self.depth.is_multiple_of(LEVELS_PER_STACK_CHECK)
    }

    /// Returns the end of the last token consumed.
    pub(super) fn previous_end(&self) -> u32 {
        self.next.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(0, |token| token.end)
    }

    /// Records a structural error, seen at the last token consumed.
    pub(super) fn problem(
        &mut self,
        code: &'static Code,
        at: TextRange,
        words: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        self.report(Problem::new(code, at, words, detail));
    }

    pub(super) fn report(&mut self, problem: Problem) {
        // Errors caused by giving up are not errors of the text.
        if self.too_deep.is_none() && self.problems.of_parser.len() < Diagnostics::CAP {
            self.problems.of_parser.push((self.next + usize::from(problem.ahead), problem));
        }
    }

    /// Adds a value that is a single token.
    pub(super) fn literal(&mut self, token: Token) -> NodeId {
        let range = token.range();
        let kind = match token.kind {
            Kind::Bool => NodeKind::Bool(self.bytes(token).first() == Some(&b't')),
            Kind::Number | Kind::Float => NodeKind::Number,
            Kind::String => NodeKind::Text,
            Kind::Heredoc => NodeKind::Heredoc,
            Kind::Null => NodeKind::Empty,
            _ => NodeKind::Bad,
        };
        if let NodeKind::Number = kind {
            self.number(token);
        }
        self.ast.add(kind, range)
    }

    /// Reports a number that the scanner accepted but the tool's parser rejects.
    fn number(&mut self, token: Token) {
        let written = String::from_utf8_lossy(self.bytes(token));
        let reported =
            self.problems.of_scanner.binary_search_by_key(&self.next.saturating_sub(1), |&(index, _)| index).is_ok();
        if text::number(&written).is_none() && !reported {
            let words = format!("{written:?}: invalid syntax or value out of range");
            let detail = "This number is malformed or does not fit into 64 bits.";
            self.problem(&super::codes::ILLEGAL_NUMBER, token.range(), words, detail);
        }
    }

    pub(super) fn bytes(&self, token: Token) -> &'t [u8] {
        token.range().bytes_of(self.text)
    }

    /// Returns the keys collected since there were `base` of them.
    pub(super) fn close_keys(&mut self, base: usize) -> Run {
        self.ast.close_keys(self.keys.drain(base..))
    }

    /// Makes an object of the items collected since there were `base` of them.
    pub(super) fn close_object(&mut self, base: usize, open: TextRange, close: TextRange) -> NodeId {
        let items = self.ast.close_items(self.items.drain(base..));
        self.ast.add(NodeKind::Object { items, open, close }, open.to(close))
    }

    /// Makes a list of the elements collected since there were `base` of them.
    pub(super) fn close_list(&mut self, base: usize, open: TextRange, end: u32) -> NodeId {
        let elements = self.ast.close_elements(self.elements.drain(base..));
        self.ast.add(NodeKind::List { elements, open }, TextRange::new(open.start, end.max(open.end)))
    }
}
