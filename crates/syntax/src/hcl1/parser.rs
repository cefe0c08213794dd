//! Parses the structure of the native form.
//!
//! After an error the parser continues at the next line that begins with a key, or at the brace that ends the object,
//! so that one error costs one item. If a brace is missing, a block at the very beginning of a line closes everything
//! that is open.

use super::ast::{Item, Key, NodeId, NodeKind, Run};
use super::codes;
use super::cursor::Cursor;
use super::problem::Problem;
use super::token::{Kind, Token};
use overfold_base::diag::TextRange;

/// The maximum number of enclosing lists named in a title.
const MAX_NAMED_LISTS: usize = 4;

pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    /// Whether more braces are opened than closed.
    unbalanced: bool,
    /// The lists that enclose the current position, innermost last: where each begins, and whether an object or a list
    /// follows in it.
    lists: Vec<(u32, &'static str)>,
}

/// What follows the keys of an item.
enum After {
    /// `=`, which has been consumed.
    Equals(TextRange),
    /// `{`, which has not been consumed.
    Brace,
}

impl<'t> Parser<'t> {
    pub(super) fn new(cursor: Cursor<'t>, tokens: &[Token]) -> Self {
        let count = |kind| tokens.iter().filter(|token| token.kind == kind).count();
        let unbalanced = count(Kind::LeftBrace) > count(Kind::RightBrace);
        Self { cursor, unbalanced, lists: Vec::new() }
    }

    /// Parses the items of the whole text.
    pub(super) fn file(&mut self) -> Run {
        self.items(false);
        let items = std::mem::take(&mut self.cursor.items);
        self.cursor.ast.close_items(items)
    }

    /// Parses items up to the closing brace, which is not consumed, or to the end.
    fn items(&mut self, inside: bool) {
        loop {
            let next = self.cursor.peek();
            match next.kind {
                Kind::Eof => return,
                Kind::RightBrace if inside => return,
                _ if inside && self.starts_top_level_block(next) => return,
                _ => {}
            }
            if self.item().is_none() {
                self.recover(inside);
                continue;
            }
            if self.cursor.peek().kind == Kind::Comma {
                self.cursor.read();
            }
        }
    }

    /// Returns whether this token begins a top-level block although braces are still open.
    fn starts_top_level_block(&self, token: Token) -> bool {
        let before = (token.start as usize).checked_sub(1).and_then(|at| self.cursor.text.get(at));
        self.unbalanced
            && before == Some(&b'\n')
            && token.kind == Kind::Ident
            && self.cursor.peek_at(1).kind == Kind::String
            && matches!(self.cursor.peek_at(2).kind, Kind::String | Kind::LeftBrace)
    }

    /// Parses one item. Returns `None` after an error from which the caller must recover.
    fn item(&mut self) -> Option<()> {
        let base = self.cursor.keys.len();
        let assign = self.keys(base);
        if assign.is_none() {
            self.cursor.keys.truncate(base);
        }
        let assign = match assign? {
            After::Equals(equals) => Some(equals),
            After::Brace => None,
        };
        if let Some(equals) = assign
            && self.cursor.peek().kind == Kind::Eof
        {
            // Here the tool treats the end of the text as the end of the items.
            self.cursor.keys.truncate(base);
            let detail = "The file ends before the value, so the name is silently ignored.";
            self.cursor.problems.notes.push((equals, detail));
            return Some(());
        }
        let keys = self.cursor.close_keys(base);
        let value = match assign {
            Some(equals) => self.value(equals),
            None => {
                let open = self.cursor.read();
                Ok(self.object(open))
            }
        };
        let (value, fine) = match value {
            Ok(value) => (value, true),
            Err(at) => (self.cursor.ast.add(NodeKind::Bad, at), false),
        };
        self.cursor.items.push(Item { keys, assign, value });
        fine.then_some(())
    }

    /// Parses keys up to `=`, which is consumed and returned, or `{`, which is not consumed.
    fn keys(&mut self, base: usize) -> Option<After> {
        loop {
            let token = self.cursor.peek();
            let count = self.cursor.keys.len() - base;
            match token.kind {
                Kind::Ident | Kind::String => {
                    self.cursor.read();
                    self.cursor.keys.push(Key { range: token.range(), quoted: token.kind == Kind::String });
                }
                Kind::Assign => {
                    self.cursor.read();
                    if count == 1 {
                        return Some(After::Equals(token.range()));
                    }
                    let words = if count == 0 {
                        "no object keys found!"
                    } else {
                        "nested object expected: LBRACE got: ASSIGN"
                    };
                    let detail = "Exactly one key must precede an equals sign. To nest keys, use braces.";
                    self.cursor.problem(&codes::UNEXPECTED_TOKEN, token.range(), words, detail);
                    return self.last_key(base).then_some(After::Equals(token.range()));
                }
                Kind::LeftBrace if count > 0 => return Some(After::Brace),
                Kind::LeftBrace => {
                    // Not consumed, so that recovery sees the brace and skips to its match.
                    let words = "expected: IDENT | STRING got: LBRACE";
                    let detail = "Expected a key before this brace.";
                    self.report(Problem::new(&codes::UNEXPECTED_TOKEN, token.range(), words, detail).ahead());
                    return None;
                }
                Kind::Eof | Kind::RightBrace if count > 0 => {
                    // The tool has read this token; consuming it here would lose the end of the object.
                    let written: Vec<String> = self
                        .cursor
                        .keys
                        .iter()
                        .skip(base)
                        .take(8)
                        .map(|key| String::from_utf8_lossy(self.bytes(key.range)).into_owned())
                        .collect();
                    let words =
                        format!("key '{}' expected start of object ('{{') or assignment ('=')", written.join(" "));
                    let at = self.cursor.keys.last().map_or(token.range(), |key| key.range);
                    let problem = Problem::new(
                        &codes::UNEXPECTED_TOKEN,
                        at,
                        words,
                        "This key has no value. Write an equals sign and a value, or an opening brace, after it.",
                    )
                    .unplaced()
                    .ahead();
                    self.report(problem);
                    return None;
                }
                _ => {
                    self.cursor.read();
                    let words = match token.kind {
                        Kind::Illegal => String::from("illegal character"),
                        other => format!("expected: IDENT | STRING | ASSIGN | LBRACE got: {}", other.name()),
                    };
                    let detail = "Expected a key, an equals sign or an opening brace here.";
                    let problem = Problem::new(&codes::UNEXPECTED_TOKEN, token.range(), words, detail).about(token);
                    self.report(problem);
                    return None;
                }
            }
        }
    }

    /// Handles a misplaced `=`: returns whether the last key begins a new line, so that it can be taken as the intended
    /// key. The keys before it are dropped.
    fn last_key(&mut self, base: usize) -> bool {
        let keys = self.cursor.keys.get(base..).unwrap_or_default();
        let [.., before, last] = keys else { return false };
        let last = *last;
        let between = self.bytes(TextRange::new(before.range.end, last.range.start));
        if memchr::memchr(b'\n', between).is_none() {
            return false;
        }
        self.cursor.keys.truncate(base);
        self.cursor.keys.push(last);
        true
    }

    /// Parses what follows `=`. Returns the range of anything that is not a value as `Err`; it is not consumed if it
    /// begins a line.
    fn value(&mut self, equals: TextRange) -> Result<NodeId, TextRange> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Number | Kind::Float | Kind::Bool | Kind::String | Kind::Heredoc => {
                self.cursor.read();
                Ok(self.cursor.literal(token))
            }
            Kind::LeftBrace => {
                self.cursor.read();
                Ok(self.object(token))
            }
            Kind::LeftBracket => {
                self.cursor.read();
                Ok(self.list(token))
            }
            _ => {
                let problem = Problem {
                    shown: Some(token),
                    ahead: true,
                    echo: token.kind == Kind::Illegal,
                    ..Problem::new(
                        &codes::UNEXPECTED_TOKEN,
                        token.range(),
                        "Unknown token",
                        "Expected a value here: a quoted string, a number, true or false, a heredoc, a list or an \
                         object. Write references and function calls inside quotes: \"${…}\".",
                    )
                };
                self.report(problem);
                if token.leads || token.kind == Kind::RightBrace { Err(equals) } else { Err(token.range()) }
            }
        }
    }

    /// Parses an object after its opening brace.
    fn object(&mut self, open: Token) -> NodeId {
        let base = self.cursor.items.len();
        if self.descend(|parser| parser.items(true)).is_none() {
            self.cursor.items.truncate(base);
        }
        let next = self.cursor.peek();
        let close = if next.kind == Kind::RightBrace {
            self.cursor.read().range()
        } else {
            let words = "object expected closing RBRACE got: EOF";
            let problem = Problem::new(&codes::UNCLOSED_OBJECT, open.range(), words, "This brace is never closed.")
                .unplaced()
                .ahead();
            self.report(problem);
            TextRange::new(next.start, next.start)
        };
        self.cursor.close_object(base, open.range(), close)
    }

    /// Parses a list after its opening bracket.
    fn list(&mut self, open: Token) -> NodeId {
        let base = self.cursor.elements.len();
        let end = self.descend(|parser| parser.elements(open));
        if end.is_none() {
            self.cursor.elements.truncate(base);
        }
        self.cursor.close_list(base, open.range(), end.unwrap_or(open.end))
    }

    /// Parses the elements of a list and its closing bracket; returns the end of the list.
    fn elements(&mut self, open: Token) -> u32 {
        let mut comma_needed = false;
        let mut end = open.end;
        loop {
            let token = self.cursor.peek();
            if comma_needed && !matches!(token.kind, Kind::Comma | Kind::RightBracket) {
                let words = format!("error parsing list, expected comma or list end, got: {}", token.kind.name());
                return self.leave_list(token, end, words, "Expected a comma or the end of the list.");
            }
            match token.kind {
                Kind::Bool | Kind::Number | Kind::Float | Kind::String | Kind::Heredoc => {
                    self.cursor.read();
                    let element = self.cursor.literal(token);
                    self.cursor.elements.push(element);
                    comma_needed = true;
                }
                Kind::Comma => {
                    self.cursor.read();
                    comma_needed = false;
                }
                Kind::LeftBrace | Kind::LeftBracket => {
                    self.cursor.read();
                    let object = token.kind == Kind::LeftBrace;
                    self.lists.push((token.start, if object { "object" } else { "list" }));
                    let element = if object { self.object(token) } else { self.list(token) };
                    self.lists.pop();
                    self.cursor.elements.push(element);
                    // As in the tool, no comma is needed after a nested list.
                    comma_needed = object;
                }
                Kind::RightBracket => return self.cursor.read().end,
                other => {
                    let words = format!("unexpected token while parsing list: {}", other.name());
                    let detail = "Expected a quoted string, a number, true or false, a heredoc, a list or an object \
                                  as the element of the list.";
                    return self.leave_list(token, end, words, detail);
                }
            }
            end = self.cursor.previous_end();
        }
    }

    /// Reports an invalid element, and skips to the end of the list or to a line that begins an item.
    fn leave_list(&mut self, at: Token, end: u32, words: String, detail: &'static str) -> u32 {
        let problem = Problem::new(&codes::UNEXPECTED_TOKEN, at.range(), words, detail).about(at).ahead();
        self.report(problem);
        let mut depth = 0_usize;
        let mut end = end;
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::Eof => return end,
                Kind::RightBracket if depth == 0 => return self.cursor.read().end,
                Kind::RightBrace if depth == 0 => return end,
                Kind::Ident if token.leads && depth == 0 && self.begins_item() => return end,
                Kind::LeftBracket | Kind::LeftBrace => depth += 1,
                Kind::RightBracket | Kind::RightBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            end = self.cursor.read().end;
        }
    }

    fn begins_item(&self) -> bool {
        matches!(self.cursor.peek_at(1).kind, Kind::Assign | Kind::LeftBrace | Kind::String)
    }

    /// Skips to where the next item may begin.
    fn recover(&mut self, inside: bool) {
        let mut depth = 0_usize;
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::Eof => return,
                Kind::RightBrace if depth == 0 && inside => return,
                Kind::Ident | Kind::String if depth == 0 && token.leads => return,
                Kind::LeftBracket | Kind::LeftBrace => depth += 1,
                Kind::RightBracket | Kind::RightBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.cursor.read();
        }
    }

    fn descend<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if !self.cursor.enter() {
            return None;
        }
        let result = if self.cursor.needs_stack_check() { crate::stack::grow(|| step(self)) } else { step(self) };
        self.cursor.leave();
        Some(result)
    }

    /// Records an error with its enclosing lists.
    fn report(&mut self, mut problem: Problem) {
        problem.inside = self.lists.iter().copied().take(MAX_NAMED_LISTS).collect();
        self.cursor.report(problem);
    }

    fn bytes(&self, range: TextRange) -> &'t [u8] {
        range.bytes_of(self.cursor.text)
    }
}
