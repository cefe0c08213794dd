//! Expressions: conditionals, operators, terms, steps and calls (syntax.md, section 3).

use super::number::is_number;
use super::parser::{Parser, between};
use super::token::{Kind, Token};
use crate::codes;
use crate::tree::Expr;
use crate::tree::{BinaryOp, Call, ExprKind, Id, Ids, Index, Splat, Step, StepKind, Text, UnaryOp};
use overfold_base::diag::TextRange;

/// Returns the operator of a token and its precedence; a higher one binds more tightly.
const fn operator(kind: Kind) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        Kind::Or => (0, BinaryOp::Or),
        Kind::And => (1, BinaryOp::And),
        Kind::EqualEqual => (2, BinaryOp::Equal),
        Kind::NotEqual => (2, BinaryOp::NotEqual),
        Kind::Less => (3, BinaryOp::Less),
        Kind::LessEqual => (3, BinaryOp::LessEqual),
        Kind::Greater => (3, BinaryOp::Greater),
        Kind::GreaterEqual => (3, BinaryOp::GreaterEqual),
        Kind::Plus => (4, BinaryOp::Add),
        Kind::Minus => (4, BinaryOp::Subtract),
        Kind::Star => (5, BinaryOp::Multiply),
        Kind::Slash => (5, BinaryOp::Divide),
        Kind::Percent => (5, BinaryOp::Modulo),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Parses any expression.
    pub(super) fn expression(&mut self) -> Id<Expr> {
        match self.descend(Self::conditional) {
            Some(expr) => expr,
            None => self.placeholder(self.peek().range()),
        }
    }

    fn conditional(&mut self) -> Id<Expr> {
        let start = self.peek().range();
        let mark = self.mark();
        let cond = self.operation(0);
        if self.failed_since(mark) || self.eat(Kind::Question).is_none() {
            return cond;
        }
        let cond_height = self.height;
        let mark = self.mark();
        let then = self.expression();
        let then_height = self.height;
        if !self.failed_since(mark) {
            let next = self.peek();
            if next.kind == Kind::Colon {
                self.read();
                let mark = self.mark();
                let or_else = self.expression();
                if !self.failed_since(mark) {
                    self.grow_height(cond_height.max(then_height));
                    let range = between(start, self.range_of(or_else));
                    return self.add(ExprKind::Conditional { cond, then, or_else }, range);
                }
            } else {
                self.error_within(
                    &codes::MISSING_FALSE_EXPRESSION,
                    next.range(),
                    between(start, next.range()),
                    "A conditional expression needs a colon and a value for the case that the condition is false.",
                );
            }
        }
        self.height = cond_height;
        cond
    }

    /// Parses operators that bind at least as tightly as `level`, with their operands. They are left-associative, so a
    /// chain is parsed by a loop.
    fn operation(&mut self, level: u8) -> Id<Expr> {
        let mark = self.mark();
        let mut lhs = self.operand();
        if self.failed_since(mark) {
            return lhs;
        }
        loop {
            let token = self.peek();
            let Some((binds, op)) = operator(token.kind) else { return lhs };
            if binds < level {
                return lhs;
            }
            self.read();
            let height = self.height;
            let mark = self.mark();
            let rhs = self.operation(binds + 1);
            if self.failed_since(mark) {
                self.height = height;
                return lhs;
            }
            if !self.grow_height(height) {
                return lhs;
            }
            let range = between(self.range_of(lhs), self.range_of(rhs));
            lhs = self.add(ExprKind::Binary { op, lhs, rhs, op_range: token.range() }, range);
        }
    }

    /// Parses a term with its steps.
    fn operand(&mut self) -> Id<Expr> {
        let term = self.term();
        if matches!(self.peek().kind, Kind::Dot | Kind::OBrack) { self.steps(term) } else { term }
    }

    fn term(&mut self) -> Id<Expr> {
        let start = self.peek();
        match start.kind {
            Kind::Ident => {
                self.read();
                if matches!(self.peek().kind, Kind::OParen | Kind::DoubleColon) {
                    return self.call(start);
                }
                let kind = match self.bytes(start) {
                    b"true" => ExprKind::Bool(true),
                    b"false" => ExprKind::Bool(false),
                    b"null" => ExprKind::Null,
                    _ => {
                        let first = self.tree.steps.len() as u32;
                        self.tree.steps.push(Step { kind: StepKind::Root, range: start.range() });
                        ExprKind::Traversal(Ids::new(first, first + 1))
                    }
                };
                self.leaf(kind, start.range())
            }
            Kind::OQuote | Kind::OHeredoc => self.template_term(),
            Kind::Number => {
                self.read();
                let kind = if self.checked_number(start) { ExprKind::Number } else { ExprKind::BadNumber };
                self.leaf(kind, start.range())
            }
            Kind::OBrack => self.tuple(),
            Kind::OBrace => self.object(),
            Kind::OParen => self.parentheses(),
            Kind::Minus => self.unary(UnaryOp::Negate),
            Kind::Bang => self.unary(UnaryOp::Not),
            Kind::Eof if self.grammar.reports_open_construct_at_end => {
                if !self.recovering() {
                    self.error(
                        &codes::MISSING_EXPRESSION,
                        start.range(),
                        "Expected an expression here, but the input ends.",
                    );
                }
                self.set_recovering();
                self.placeholder(start.range())
            }
            _ => {
                if !self.recovering() {
                    self.error(
                        &codes::INVALID_EXPRESSION,
                        start.range(),
                        "Expected an expression here, such as \"text\", 5 or var.name.",
                    );
                }
                self.set_recovering();
                self.placeholder(start.range())
            }
        }
    }

    /// Returns whether a number token is a valid number, and reports it if not.
    pub(super) fn checked_number(&mut self, token: Token) -> bool {
        let good = is_number(self.bytes(token));
        if !good {
            self.error(
                &codes::INVALID_NUMBER,
                token.range(),
                "This is not a valid number. A number has at most one decimal point and one exponent, and its \
                 exponent must be in range.",
            );
        }
        good
    }

    fn parentheses(&mut self) -> Id<Expr> {
        let open = self.read();
        let newlines = self.set_newlines(false);
        let mark = self.mark();
        let inner = self.expression();
        if self.reported_since(mark) {
            self.recover_to(Kind::CParen);
            self.set_newlines(newlines);
            return inner;
        }
        let next = self.peek();
        if next.kind != Kind::CParen {
            self.error_within(
                &codes::UNBALANCED_PARENTHESES,
                next.range(),
                between(open.range(), next.range()),
                "Expected a closing parenthesis after the expression.",
            );
            self.set_recovering();
        }
        let close = self.read();
        self.set_newlines(newlines);
        self.grow_height(0);
        self.add(ExprKind::Parens(inner), between(open.range(), close.range()))
    }

    fn unary(&mut self, op: UnaryOp) -> Id<Expr> {
        let token = self.read();
        let operand = match self.descend(Self::operand) {
            Some(operand) => operand,
            None => self.placeholder(token.range()),
        };
        self.grow_height(0);
        let range = between(token.range(), self.range_of(operand));
        self.add(ExprKind::Unary { op, operand, op_range: token.range() }, range)
    }

    // ---- steps

    /// Parses the steps that follow `from`.
    fn steps(&mut self, from: Id<Expr>) -> Id<Expr> {
        let start = self.range_of(from);
        let mut expr = from;
        let mut height = self.height;
        loop {
            let next = self.peek();
            match next.kind {
                Kind::Dot => {
                    self.read();
                    self.height = height;
                    match self.dot(expr, start, next) {
                        Dot::Step(step) => expr = step,
                        Dot::Nothing => {}
                    }
                }
                Kind::OBrack => {
                    self.read();
                    self.height = height;
                    expr = self.bracket(expr, start, next);
                }
                _ => {
                    self.height = height;
                    return expr;
                }
            }
            height = self.height;
        }
    }

    /// Parses what follows a dot.
    fn dot(&mut self, on: Id<Expr>, start: TextRange, dot: Token) -> Dot {
        let next = self.peek();
        match next.kind {
            Kind::Ident => {
                self.read();
                let range = between(dot.range(), next.range());
                Dot::Step(self.add_step(on, Step { kind: StepKind::Attr(next.range()), range }))
            }
            Kind::Number => {
                self.read();
                let kind = self.legacy_index(next, next);
                let range = between(dot.range(), next.range());
                Dot::Step(self.add_step(on, Step { kind, range }))
            }
            Kind::Star => self.attribute_splat(on, start, dot),
            _ => {
                self.error(&codes::INVALID_ATTRIBUTE_NAME, next.range(), "Expected an attribute name after the dot.");
                self.set_recovering();
                Dot::Step(self.leaf(ExprKind::SyntaxError, between(start, dot.range())))
            }
        }
    }

    /// Parses `.0`, the old spelling of `[0]`. Errors are reported at `place`.
    fn legacy_index(&mut self, number: Token, place: Token) -> StepKind {
        let height = self.height;
        let kind = if self.bytes(number).contains(&b'.') {
            self.error(
                &codes::INVALID_LEGACY_INDEX,
                place.range(),
                "Two consecutive indexes after dots are read as one fraction, such as 0.1. Write them in brackets: [0][1].",
            );
            StepKind::IndexOther(self.leaf(ExprKind::BadNumber, number.range()))
        } else if self.checked_number(number) {
            StepKind::IndexNumber(number.range())
        } else {
            StepKind::IndexOther(self.leaf(ExprKind::BadNumber, number.range()))
        };
        self.height = height;
        kind
    }

    fn splat(&mut self, splat: Splat) -> ExprKind {
        let id = Id::new(self.tree.splats.len() as u32);
        self.tree.splats.push(splat);
        ExprKind::Splat(id)
    }

    /// Parses `.*` and the attribute steps that belong to it. The next token is the star.
    fn attribute_splat(&mut self, on: Id<Expr>, start: TextRange, dot: Token) -> Dot {
        let star = self.read();
        let first = self.tree.steps.len() as u32;
        let first_range = self.peek().range();
        let mut last = star.range();
        while let Some(dot) = self.eat(Kind::Dot) {
            let next = self.peek();
            let kind = match next.kind {
                Kind::Number => {
                    self.read();
                    // The tool points at the star for this one error only.
                    let place = if self.bytes(next).contains(&b'.') { star } else { next };
                    self.legacy_index(next, place)
                }
                Kind::Ident => {
                    self.read();
                    StepKind::Attr(next.range())
                }
                other => {
                    if !self.recovering() {
                        if other == Kind::Star {
                            self.error(
                                &codes::NESTED_SPLAT,
                                next.range(),
                                "A splat with .* cannot contain another one. Use [*] for both.",
                            );
                        } else {
                            self.error(
                                &codes::INVALID_ATTRIBUTE_NAME,
                                star.range(),
                                "Expected attribute names after the dots of the splat.",
                            );
                        }
                    }
                    self.set_recovering();
                    return Dot::Nothing;
                }
            };
            last = next.range();
            self.tree.steps.push(Step { kind, range: between(dot.range(), last) });
        }
        let height = self.height;
        let marker = between(dot.range(), star.range());
        let item = self.leaf(ExprKind::SplatItem, marker);
        let steps = Ids::new(first, self.tree.steps.len() as u32);
        let each = if steps.is_empty() {
            item
        } else {
            self.height = 2;
            self.add(ExprKind::RelativeTraversal { on: item, steps }, between(first_range, last))
        };
        if !self.grow_height(height) {
            return Dot::Nothing;
        }
        let splat = self.splat(Splat { source: on, each, item, attr_only: true, marker });
        Dot::Step(self.add(splat, between(start, last)))
    }

    /// Parses what follows `[`: an index or a full splat.
    fn bracket(&mut self, on: Id<Expr>, start: TextRange, open: Token) -> Id<Expr> {
        let height = self.height;
        if self.eat(Kind::Star).is_some() {
            let mut close = self.read();
            if close.kind != Kind::CBrack && !self.recovering() {
                close = self.recover_to(Kind::CBrack);
                self.error(
                    &codes::MISSING_SPLAT_CLOSE,
                    close.range(),
                    "Expected a closing bracket after the star of the splat.",
                );
            }
            let marker = between(open.range(), close.range());
            let item = self.leaf(ExprKind::SplatItem, marker);
            // All the steps that follow apply to the splat's elements.
            let each = match self.descend(|parser| parser.steps(item)) {
                Some(each) => each,
                None => item,
            };
            self.grow_height(height);
            let range = between(start, self.range_of(each));
            let splat = self.splat(Splat { source: on, each, item, attr_only: false, marker });
            return self.add(splat, range);
        }
        let newlines = self.set_newlines(false);
        let mark = self.mark();
        let key = self.expression();
        let close = if self.failed_since(mark) {
            self.recover_to(Kind::CBrack)
        } else {
            let mut close = self.read();
            if close.kind != Kind::CBrack && !self.recovering() {
                close = self.recover_to(Kind::CBrack);
                self.error(&codes::MISSING_INDEX_CLOSE, close.range(), "Expected a closing bracket after the index.");
            }
            close
        };
        self.set_newlines(newlines);
        let brackets = between(open.range(), close.range());
        if let Some(kind) = self.literal_key(key) {
            self.height = height;
            return self.add_step(on, Step { kind, range: brackets });
        }
        self.grow_height(height);
        let range = between(start, brackets);
        let id = Id::new(self.tree.indexes.len() as u32);
        let index = Index { collection: on, key, open: open.range(), close: close.range() };
        self.tree.indexes.push(index);
        self.add(ExprKind::Index(id), range)
    }

    /// Returns an index with a literal key as a traversal step.
    fn literal_key(&self, key: Id<Expr>) -> Option<StepKind> {
        match self.kind_of(key) {
            ExprKind::Number => Some(StepKind::IndexNumber(self.range_of(key))),
            ExprKind::Bool(_) | ExprKind::Null | ExprKind::Placeholder | ExprKind::BadNumber => {
                Some(StepKind::IndexOther(key))
            }
            ExprKind::Template { parts, .. } if parts.len() == 1 => {
                let part = self.tree.list(parts).first().copied()?;
                match self.kind_of(part) {
                    ExprKind::Text(text) => Some(StepKind::IndexText(text)),
                    ExprKind::Placeholder => Some(StepKind::IndexOther(part)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Adds a step to a traversal, or starts a traversal on another expression.
    fn add_step(&mut self, on: Id<Expr>, step: Step) -> Id<Expr> {
        let next = self.tree.steps.len() as u32;
        let (ExprKind::Traversal(old) | ExprKind::RelativeTraversal { steps: old, .. }) = self.kind_of(on) else {
            self.tree.steps.push(step);
            let range = between(self.range_of(on), step.range);
            let steps = Ids::new(next, next + 1);
            self.grow_height(0);
            return self.add(ExprKind::RelativeTraversal { on, steps }, range);
        };
        let indexes = old.indexes();
        let first = if indexes.end == next as usize {
            indexes.start as u32
        } else {
            // Other steps were added in between, so the run is copied to the end.
            self.tree.steps.extend_from_within(indexes);
            next
        };
        self.tree.steps.push(step);
        let all = Ids::new(first, self.tree.steps.len() as u32);
        if let Some(expr) = self.tree.exprs.get_mut(on.index()) {
            expr.range = between(expr.range, step.range);
            match &mut expr.kind {
                ExprKind::Traversal(steps) | ExprKind::RelativeTraversal { steps, .. } => *steps = all,
                _ => {}
            }
        }
        on
    }

    // ---- calls

    /// Parses a call; the name has been read, and `(` or `::` follows.
    fn call(&mut self, name: Token) -> Id<Expr> {
        let mut text = Text::Source(name.range());
        let mut name_end = name.range();
        let mut open = self.read();
        if open.kind == Kind::DoubleColon {
            let mut parts = String::from_utf8_lossy(self.bytes(name)).into_owned();
            while open.kind == Kind::DoubleColon {
                let next = self.read();
                if next.kind != Kind::Ident {
                    let range = between(name.range(), next.range());
                    self.error_within(
                        &codes::MISSING_FUNCTION_NAME,
                        next.range(),
                        range,
                        "Expected a function name after the double colon.",
                    );
                    self.recover_past(Kind::OParen);
                    return self.leaf(ExprKind::SyntaxError, range);
                }
                parts.push_str("::");
                parts.push_str(&String::from_utf8_lossy(self.bytes(next)));
                name_end = next.range();
                open = self.read();
            }
            text = self.decoded(&parts);
        }
        if open.kind != Kind::OParen {
            let range = between(name.range(), open.range());
            self.error_within(
                &codes::MISSING_OPEN_PARENTHESIS,
                open.range(),
                range,
                "Expected an opening parenthesis: a name with a double colon is a function, which must be called.",
            );
            self.recover_past(Kind::OParen);
            return self.leaf(ExprKind::SyntaxError, range);
        }
        let newlines = self.set_newlines(false);
        let base = self.children.len();
        let mut highest = 0;
        let mut expand_final = false;
        // `None` if no closing parenthesis was found after an invalid argument.
        let close = loop {
            if let Some(close) = self.eat(Kind::CParen) {
                break Some(close);
            }
            let mark = self.mark();
            let arg = self.expression();
            highest = self.height.max(highest);
            self.children.push(arg);
            if self.failed_since(mark) {
                let found = self.recover_to(Kind::CParen);
                break (found.kind == Kind::CParen).then_some(found);
            }
            let separator = self.read();
            match separator.kind {
                Kind::Comma => {}
                Kind::CParen => break Some(separator),
                Kind::Ellipsis => {
                    expand_final = true;
                    if let Some(close) = self.eat(Kind::CParen) {
                        break Some(close);
                    }
                    if !self.recovering() {
                        self.error_within(
                            &codes::MISSING_CLOSE_PARENTHESIS,
                            separator.range(),
                            between(name.range(), separator.range()),
                            "Expected a closing parenthesis after the ellipsis, which is allowed only after the last \
                             argument.",
                        );
                    }
                    break Some(self.recover_to(Kind::CParen));
                }
                Kind::Eof => {
                    self.error(
                        &codes::UNTERMINATED_CALL,
                        between(name.range(), open.range()),
                        "This function call has no closing parenthesis.",
                    );
                    break Some(self.recover_to(Kind::CParen));
                }
                _ => {
                    self.error_within(
                        &codes::MISSING_ARGUMENT_SEPARATOR,
                        separator.range(),
                        between(name.range(), separator.range()),
                        "Expected a comma or a closing parenthesis after the argument.",
                    );
                    break Some(self.recover_to(Kind::CParen));
                }
            }
        };
        self.set_newlines(newlines);
        let args = self.list_from(base);
        self.height = highest;
        self.grow_height(0);
        let call = Call {
            name: text,
            name_range: between(name.range(), name_end),
            args,
            expand_final,
            open: open.range(),
            close: close.map_or(TextRange::default(), Token::range),
        };
        let id = Id::new(self.tree.calls.len() as u32);
        let range = call.range();
        self.tree.calls.push(call);
        self.add(ExprKind::Call(id), range)
    }
}

/// The result of parsing what follows a dot.
enum Dot {
    Step(Id<Expr>),
    /// No step could be parsed.
    Nothing,
}
