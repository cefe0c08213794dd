//! Parses the JSON form as loosely as the tool does: after a value, an object ends at the first token that is not a
//! comma, and everything after the root object is ignored. Lost content is noted.

use super::ast::{Item, Key, NodeId, NodeKind, Run};
use super::codes;
use super::cursor::Cursor;
use super::problem::Problem;
use super::token::{Kind, Token};
use overfold_base::diag::{Diagnostics, TextRange};

pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    /// Whether the tool has lost its place in the text, which is then noted once.
    lost: bool,
}

/// How parsing a part ended.
enum End {
    /// Correctly, or at least the tool accepts it.
    Fine,
    /// With an error at which the tool stops reading the text.
    Wrong,
}

impl<'t> Parser<'t> {
    pub(super) const fn new(cursor: Cursor<'t>) -> Self {
        Self { cursor, lost: false }
    }

    /// Parses the properties of the root object.
    pub(super) fn file(&mut self) -> Run {
        let open = self.cursor.read();
        let root = self.object(open);
        let next = self.cursor.peek();
        if next.kind != Kind::Eof {
            self.lose_place(next, "Everything after the end of the root object is ignored.");
        }
        match self.cursor.ast.node(root).kind {
            NodeKind::Object { items, .. } => items,
            _ => self.cursor.ast.close_items([]),
        }
    }

    fn object(&mut self, open: Token) -> NodeId {
        let base = self.cursor.items.len();
        let entered = self.descend(|parser| {
            if let End::Wrong = parser.properties() {
                parser.skip_to(Kind::RightBrace);
            }
        });
        if entered.is_none() {
            self.cursor.items.truncate(base);
        }
        let end = self.cursor.previous_end().max(open.end);
        let close = TextRange::new(end.saturating_sub(1).max(open.end), end);
        self.cursor.close_object(base, open.range(), close)
    }

    fn properties(&mut self) -> End {
        loop {
            let base = self.cursor.keys.len();
            let colon = match self.keys(base) {
                Ok(Some(colon)) => colon,
                Ok(None) => {
                    self.cursor.keys.truncate(base);
                    return End::Fine;
                }
                Err(()) => {
                    self.cursor.keys.truncate(base);
                    return End::Wrong;
                }
            };
            let token = self.cursor.read();
            let value = match token.kind {
                Kind::Number | Kind::Float | Kind::Bool | Kind::Null | Kind::String => self.cursor.literal(token),
                Kind::LeftBrace => self.object(token),
                Kind::LeftBracket => self.list(token),
                Kind::Eof | Kind::RightBrace => {
                    self.cursor.keys.truncate(base);
                    self.lose_place(token, "This name is ignored because it has no value.");
                    return End::Fine;
                }
                _ => {
                    self.cursor.keys.truncate(base);
                    self.cursor.report(
                        Problem {
                            shown: Some(token),
                            echo: token.kind == Kind::Illegal,
                            ..Problem::new(
                                &codes::UNEXPECTED_TOKEN,
                                token.range(),
                                "Expected object value, got unknown token",
                                "Expected a JSON value here.",
                            )
                        }
                        .unplaced(),
                    );
                    return End::Wrong;
                }
            };
            let keys = self.cursor.close_keys(base);
            self.cursor.items.push(Item { keys, assign: Some(colon), value });
            let next = self.cursor.read();
            match next.kind {
                Kind::Comma => {}
                Kind::RightBrace => return End::Fine,
                _ => {
                    self.lose_place(
                        next,
                        "This is read as the end of the object, so what follows is lost or misread. Separate the properties with commas.",
                    );
                    return End::Fine;
                }
            }
        }
    }

    /// Parses names up to a colon, which is consumed and returned. Returns `Ok(None)` if the object has ended.
    fn keys(&mut self, base: usize) -> Result<Option<TextRange>, ()> {
        loop {
            let token = self.cursor.read();
            let named = self.cursor.keys.len() > base;
            match token.kind {
                Kind::String => self.cursor.keys.push(Key { range: token.range(), quoted: true }),
                Kind::Colon if named => return Ok(Some(token.range())),
                Kind::Eof | Kind::RightBrace => {
                    if named || token.kind == Kind::Eof {
                        self.lose_place(token, "The object ends here, although it is incomplete.");
                    }
                    return Ok(None);
                }
                other => {
                    let words = match other {
                        Kind::Illegal => String::from("illegal"),
                        _ => format!("expected: STRING got: {}", other.name()),
                    };
                    let detail = "Expected a property name in double quotes, followed by a colon.";
                    self.cursor.report(
                        Problem::new(&codes::UNEXPECTED_TOKEN, token.range(), words, detail).about(token).unplaced(),
                    );
                    return Err(());
                }
            }
        }
    }

    fn list(&mut self, open: Token) -> NodeId {
        let base = self.cursor.elements.len();
        if self.descend(Self::elements).is_none() {
            self.cursor.elements.truncate(base);
        }
        let end = self.cursor.previous_end();
        self.cursor.close_list(base, open.range(), end)
    }

    fn elements(&mut self) {
        loop {
            let token = self.cursor.read();
            match token.kind {
                Kind::Number | Kind::Float | Kind::String => {
                    let element = self.cursor.literal(token);
                    self.cursor.elements.push(element);
                }
                Kind::Comma => {}
                Kind::LeftBrace => {
                    let element = self.object(token);
                    self.cursor.elements.push(element);
                }
                Kind::Bool => {
                    self.note(
                        token,
                        "The values true and false are ignored as direct elements of an array. Write them in quotes.",
                    );
                }
                Kind::LeftBracket => {
                    self.note(
                        token,
                        "The opening bracket of an array inside an array is ignored: the inner \
                                      elements become elements of the outer array, which ends at the inner closing \
                                      bracket.",
                    );
                }
                Kind::RightBracket => return,
                other => {
                    let words = format!("unexpected token while parsing list: {}", other.name());
                    let detail = "Expected an element of the array or its closing bracket.";
                    self.cursor.report(
                        Problem::new(&codes::UNEXPECTED_TOKEN, token.range(), words, detail).about(token).unplaced(),
                    );
                    self.skip_to(Kind::RightBracket);
                    return;
                }
            }
        }
    }

    /// Skips past the closing token of the innermost open object or list.
    fn skip_to(&mut self, closer: Kind) {
        let mut depth = 0_usize;
        loop {
            let token = self.cursor.peek();
            match token.kind {
                Kind::Eof => return,
                kind if kind == closer && depth == 0 => {
                    self.cursor.read();
                    return;
                }
                Kind::LeftBrace | Kind::LeftBracket => depth += 1,
                Kind::RightBrace | Kind::RightBracket => {
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                }
                _ => {}
            }
            self.cursor.read();
        }
    }

    fn lose_place(&mut self, at: Token, what: &'static str) {
        if !self.lost && self.cursor.problems.of_parser.is_empty() {
            self.lost = true;
            self.note(at, what);
        }
    }

    fn note(&mut self, at: Token, what: &'static str) {
        if self.cursor.too_deep.is_none() && self.cursor.problems.notes.len() < Diagnostics::CAP {
            self.cursor.problems.notes.push((at.range(), what));
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
}
