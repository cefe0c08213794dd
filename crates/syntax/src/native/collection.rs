//! Tuples, objects and for-expressions (syntax.md, sections 2 and 3).

use super::parser::{Parser, between};
use super::token::{Kind, Token};
use crate::codes;
use crate::tree::{Expr, ExprKind, For, Id, Ids, ObjectItem};
use overfold_base::diag::TextRange;

impl Parser<'_> {
    /// Parses a tuple or a for-expression; the next token is `[`.
    pub(super) fn tuple(&mut self) -> Id<Expr> {
        let open = self.read();
        let newlines = self.set_newlines(false);
        let expr = if self.is_word(self.peek(), b"for") {
            self.for_expression(open, Kind::CBrack)
        } else {
            self.tuple_items(open)
        };
        self.set_newlines(newlines);
        expr
    }

    fn tuple_items(&mut self, open: Token) -> Id<Expr> {
        let base = self.children.len();
        let mut highest = 0;
        let close = loop {
            if let Some(close) = self.eat(Kind::CBrack) {
                break close;
            }
            let mark = self.mark();
            let item = self.expression();
            highest = self.height.max(highest);
            self.children.push(item);
            if self.failed_since(mark) {
                break self.recover_to(Kind::CBrack);
            }
            let next = self.peek();
            match next.kind {
                Kind::CBrack => break self.read(),
                Kind::Comma => {
                    self.read();
                }
                other => {
                    if !self.recovering() {
                        if other == Kind::Eof {
                            self.error(
                                &codes::UNTERMINATED_TUPLE,
                                open.range(),
                                "This tuple has no closing bracket.",
                            );
                        } else {
                            self.error_within(
                                &codes::MISSING_ITEM_SEPARATOR,
                                next.range(),
                                between(open.range(), next.range()),
                                "Expected a comma or a closing bracket after the item.",
                            );
                        }
                    }
                    break self.recover_to(Kind::CBrack);
                }
            }
        };
        let items = self.list_from(base);
        self.height = highest;
        self.grow_height(0);
        self.add(ExprKind::Tuple { items, open: open.range() }, between(open.range(), close.range()))
    }

    /// Parses an object or a for-expression; the next token is `{`.
    pub(super) fn object(&mut self) -> Id<Expr> {
        let open = self.read();
        // Line ends are skipped when looking for the word `for`, but not in the rest of an object.
        let newlines = self.set_newlines(false);
        let expr = if self.is_word(self.peek(), b"for") {
            self.for_expression(open, Kind::CBrace)
        } else {
            self.set_newlines(true);
            self.object_items(open)
        };
        self.set_newlines(newlines);
        expr
    }

    fn object_items(&mut self, open: Token) -> Id<Expr> {
        let base = self.items.len();
        let mut highest = 0;
        let close = loop {
            let first = self.peek();
            match first.kind {
                Kind::Newline => {
                    self.read();
                    continue;
                }
                Kind::CBrace => break self.read(),
                _ => {}
            }
            let mark = self.mark();
            let key = self.expression();
            highest = self.height.max(highest);
            if self.failed_since(mark) {
                break self.recover_to(Kind::CBrace);
            }
            let next = self.peek();
            if !matches!(next.kind, Kind::Equal | Kind::Colon) {
                if !self.recovering() {
                    self.no_value(open, next);
                }
                break self.recover_to(Kind::CBrace);
            }
            self.read();
            let mark = self.mark();
            let value = self.expression();
            highest = self.height.max(highest);
            if self.failed_since(mark) {
                break self.recover_to(Kind::CBrace);
            }
            let item = self.object_item(first, key, value);
            self.items.push(item);
            let next = self.peek();
            match next.kind {
                Kind::CBrace => break self.read(),
                Kind::Comma | Kind::Newline => {
                    self.read();
                }
                other => {
                    if !self.recovering() {
                        if other == Kind::Eof {
                            self.unterminated_object(open);
                        } else {
                            self.error_within(
                                &codes::MISSING_ATTRIBUTE_SEPARATOR,
                                next.range(),
                                between(open.range(), next.range()),
                                "Expected a new line, a comma or a closing brace after the attribute.",
                            );
                        }
                    }
                    break self.recover_to(Kind::CBrace);
                }
            }
        };
        let start = self.tree.items.len() as u32;
        self.tree.items.reserve(self.items.len() - base);
        self.tree.items.extend(self.items.drain(base..));
        let items = Ids::new(start, self.tree.items.len() as u32);
        self.height = highest;
        self.grow_height(0);
        self.add(ExprKind::Object { items, open: open.range() }, between(open.range(), close.range()))
    }

    fn object_item(&self, first: Token, key: Id<Expr>, value: Id<Expr>) -> ObjectItem {
        let key_range = self.range_of(key);
        let is_word = first.kind != Kind::OParen
            && match self.kind_of(key) {
                ExprKind::Traversal(steps) => steps.len() == 1,
                ExprKind::Bool(_) | ExprKind::Null => true,
                _ => false,
            };
        ObjectItem { key, key_range, literal_name: is_word.then_some(key_range), value }
    }

    fn no_value(&mut self, open: Token, next: Token) {
        let context = between(open.range(), next.range());
        match next.kind {
            Kind::Newline | Kind::Comma => self.error_within(
                &codes::MISSING_ATTRIBUTE_VALUE,
                next.range(),
                context,
                "This attribute has no value. Write an equals sign and a value after its name.",
            ),
            Kind::Eof => self.unterminated_object(open),
            _ => self.error_within(
                &codes::MISSING_KEY_SEPARATOR,
                next.range(),
                context,
                "Expected an equals sign after the attribute name. A name with dots or other special characters must be in quotes.",
            ),
        }
    }

    fn unterminated_object(&mut self, open: Token) {
        self.error(&codes::UNTERMINATED_OBJECT, open.range(), "This object has no closing brace.");
    }

    /// Parses a for-expression; the next token is the word `for`. Line ends are skipped.
    fn for_expression(&mut self, open: Token, closer: Kind) -> Id<Expr> {
        self.read();
        let Some((key_var, value_var)) = self.for_variables(open) else { return self.no_for(open, closer) };
        let next = self.peek();
        if !self.is_word(next, b"in") {
            self.bad_for(open, next, "Expected \"in\" after the variables of the for expression.");
            return self.no_for(open, closer);
        }
        self.read();
        let mark = self.mark();
        let collection = self.expression();
        let mut highest = self.height;
        if self.failed_since(mark) {
            return self.no_for(open, closer);
        }
        let next = self.peek();
        if next.kind != Kind::Colon {
            self.bad_for(open, next, "Expected a colon after the collection of the for expression.");
            return self.no_for(open, closer);
        }
        self.read();
        let mark = self.mark();
        let mut key = None;
        let mut value = self.expression();
        highest = self.height.max(highest);
        if self.eat(Kind::FatArrow).is_some() {
            key = Some(value);
            value = self.expression();
            highest = self.height.max(highest);
        }
        if self.failed_since(mark) {
            return self.no_for(open, closer);
        }
        let ellipsis = self.eat(Kind::Ellipsis);
        let mut cond = None;
        if self.is_word(self.peek(), b"if") {
            self.read();
            let mark = self.mark();
            cond = Some(self.expression());
            highest = self.height.max(highest);
            if self.failed_since(mark) {
                return self.no_for(open, closer);
            }
        }
        let next = self.peek();
        let close = if next.kind == closer {
            self.read()
        } else {
            self.bad_for(open, next, "Expected the closing bracket or brace of the for expression.");
            self.recover_to(closer)
        };
        let range = between(open.range(), close.range());
        self.for_misuse(closer, key, value, ellipsis, range);
        let id = Id::new(self.tree.fors.len() as u32);
        self.tree.fors.push(For {
            key_var,
            value_var,
            collection,
            key,
            value,
            cond,
            group: ellipsis.is_some(),
            open: open.range(),
            close: close.range(),
        });
        self.height = highest;
        self.grow_height(0);
        self.add(ExprKind::For(id), range)
    }

    /// Parses the names between `for` and `in`: the key, if there are two, and the value. Returns `None` if one is
    /// missing.
    fn for_variables(&mut self, open: Token) -> Option<(Option<TextRange>, TextRange)> {
        let first = self.for_variable(open)?;
        if self.eat(Kind::Comma).is_none() {
            return Some((None, first));
        }
        Some((Some(first), self.for_variable(open)?))
    }

    fn for_variable(&mut self, open: Token) -> Option<TextRange> {
        let next = self.peek();
        if next.kind == Kind::Ident {
            self.read();
            return Some(next.range());
        }
        self.bad_for(open, next, "Expected a variable name in the for expression.");
        None
    }

    /// Skips the rest of a for-expression that cannot be parsed.
    fn no_for(&mut self, open: Token, closer: Kind) -> Id<Expr> {
        let close = self.recover_to(closer);
        self.placeholder(between(open.range(), close.range()))
    }

    fn bad_for(&mut self, open: Token, next: Token, detail: &'static str) {
        if !self.recovering() {
            self.error_within(&codes::INVALID_FOR, next.range(), between(open.range(), next.range()), detail);
        }
    }

    /// Reports a key or grouping where it is not allowed, regardless of earlier errors.
    fn for_misuse(
        &mut self,
        closer: Kind,
        key: Option<Id<Expr>>,
        value: Id<Expr>,
        ellipsis: Option<Token>,
        range: TextRange,
    ) {
        if closer == Kind::CBrace {
            if key.is_none() {
                let subject = self.range_of(value);
                let detail = "A for expression in braces produces an object, so it needs a key: key => value.";
                self.error_within(&codes::INVALID_FOR, subject, range, detail);
            }
            return;
        }
        if let Some(key) = key {
            let subject = self.range_of(key);
            let detail = "A for expression in square brackets produces a tuple, so it cannot have a key. Use braces \
                          to produce an object.";
            self.error_within(&codes::INVALID_FOR, subject, range, detail);
        }
        if let Some(ellipsis) = ellipsis {
            let detail = "An ellipsis groups values with the same key, so it is allowed only in a for expression in \
                          braces.";
            self.error_within(&codes::INVALID_FOR, ellipsis.range(), range, detail);
        }
    }
}
