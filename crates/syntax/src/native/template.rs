//! Templates (quoted strings, heredocs and bare ones), parsed first into a flat sequence of parts, then into a tree of
//! directives (syntax.md, section 4).

use unicode_segmentation::UnicodeSegmentation;

use super::parser::{Parser, between};
use super::token::{Kind, Token};
use super::unicode::{leading_space, without_trailing_space};
use crate::codes;
use crate::tree::{Expr, ExprKind, ExprRef, For, Id, Ids, TemplateForm, Text};
use overfold_base::diag::{Diagnostic, TextRange};

/// A part of a template that is being parsed.
#[derive(Clone, Copy)]
pub(super) struct Part {
    kind: PartKind,
    range: TextRange,
    /// The number of levels in the part's expression.
    height: u32,
}

#[derive(Clone, Copy)]
enum PartKind {
    Literal(Text),
    Interpolation(Id<Expr>),
    If(Id<Expr>),
    For {
        key_var: Option<TextRange>,
        value_var: TextRange,
        collection: Id<Expr>,
    },
    Else,
    EndIf,
    EndFor,
    /// The end of the template, after the last part.
    End,
}

impl PartKind {
    const fn ending_word(self) -> Option<&'static str> {
        match self {
            Self::Else => Some("else"),
            Self::EndIf => Some("endif"),
            Self::EndFor => Some("endfor"),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum TemplateContent {
    /// One interpolation and nothing else.
    Wrap(Id<Expr>),
    Parts(Ids<ExprRef>),
}

impl Parser<'_> {
    /// Parses a quoted template or a heredoc; the next token opens it.
    pub(super) fn template_term(&mut self) -> Id<Expr> {
        let open = self.read();
        let (closer, form) = match open.kind {
            Kind::OQuote => (Kind::CQuote, TemplateForm::Quoted),
            _ if self.bytes(open).get(2) == Some(&b'-') => (Kind::CHeredoc, TemplateForm::FlushHeredoc),
            _ => (Kind::CHeredoc, TemplateForm::Heredoc),
        };
        let (inside, _) = self.template_inside(closer, form);
        let range = between(open.range(), self.previous());
        self.finish_template(inside, form, range)
    }

    /// Parses a text that is one template.
    pub(super) fn bare_template(&mut self) -> Id<Expr> {
        let (inside, range) = self.template_inside(Kind::Eof, TemplateForm::Inner);
        self.finish_template(inside, TemplateForm::Inner, range)
    }

    fn finish_template(&mut self, inside: TemplateContent, form: TemplateForm, range: TextRange) -> Id<Expr> {
        self.grow_height(0);
        match inside {
            TemplateContent::Wrap(expr) => self.add(ExprKind::TemplateWrap(expr), range),
            TemplateContent::Parts(parts) => self.add(ExprKind::Template { form, parts }, range),
        }
    }

    /// Parses the content up to and including `closer`. Returns it with its range, which includes the closer, and sets
    /// the height of the content.
    fn template_inside(&mut self, closer: Kind, form: TemplateForm) -> (TemplateContent, TextRange) {
        let base = self.parts.len();
        let range = self.parts_up_to(closer, base);
        if form == TemplateForm::FlushHeredoc {
            self.flush(base);
        }
        self.join_literals(base);
        let alone = match self.parts.get(base..) {
            Some(&[Part { kind: PartKind::Interpolation(expr), height, .. }, _]) => Some((expr, height)),
            _ => None,
        };
        let inside = if let Some((expr, height)) = alone {
            self.height = height;
            TemplateContent::Wrap(expr)
        } else {
            let first = self.children.len();
            let mut at = base;
            let mut highest = 1;
            while !matches!(self.part(at).kind, PartKind::End) {
                let expr = self.part_expression(&mut at);
                highest = self.height.max(highest);
                self.children.push(expr);
            }
            self.height = highest;
            TemplateContent::Parts(self.list_from(first))
        };
        self.parts.truncate(base);
        (inside, range)
    }

    // ---- the sequence of parts

    /// Parses parts up to and including `closer`; the last part is [`PartKind::End`].
    fn parts_up_to(&mut self, closer: Kind, base: usize) -> TextRange {
        let start = self.peek().range();
        let mut trim_next = false;
        let mut after_literal = false;
        let end = loop {
            let token = self.read();
            if token.kind == closer {
                break token.range();
            }
            let trim = std::mem::take(&mut trim_next);
            let can_trim = std::mem::take(&mut after_literal);
            match token.kind {
                Kind::Quoted | Kind::QuotedEscaped | Kind::Plain | Kind::PlainEscaped => {
                    let mut text = self.literal(token);
                    if trim {
                        let bytes = self.text_bytes(text);
                        text = Self::part_of(text, leading_space(bytes), bytes.len());
                    }
                    self.parts.push(Part { kind: PartKind::Literal(text), range: token.range(), height: 1 });
                    after_literal = true;
                }
                Kind::Interp | Kind::Control => {
                    if can_trim && token.len() == 3 {
                        self.trim_last();
                    }
                    let newlines = self.set_newlines(false);
                    trim_next = if token.kind == Kind::Interp {
                        self.interpolation(token, start, closer)
                    } else {
                        self.directive(token, start)
                    };
                    self.set_newlines(newlines);
                }
                _ => {
                    if !self.recovering() {
                        self.error_within(
                            &codes::UNTERMINATED_TEMPLATE,
                            token.range(),
                            between(start, token.range()),
                            "This string or heredoc is never closed. A heredoc ends with a line that contains only its marker and itself ends with a line break.",
                        );
                    }
                    break self.recover_to(closer).range();
                }
            }
        };
        if self.parts.len() == base {
            // An empty template becomes an empty text, which the tool places after the token that follows the opener.
            let empty = TextRange::new(start.end, start.end);
            self.parts.push(Part { kind: PartKind::Literal(Text::Source(empty)), range: empty, height: 1 });
        }
        self.parts.push(Part { kind: PartKind::End, range: end, height: 0 });
        between(start, end)
    }

    /// Removes white space from the end of the last part if it is a literal.
    fn trim_last(&mut self) {
        let Some(&Part { kind: PartKind::Literal(text), .. }) = self.parts.last() else { return };
        let kept = without_trailing_space(self.text_bytes(text));
        if let Some(last) = self.parts.last_mut() {
            last.kind = PartKind::Literal(Self::part_of(text, 0, kept));
        }
    }

    /// Parses the rest of `${`. Returns whether the next literal must be trimmed.
    fn interpolation(&mut self, open: Token, start: TextRange, closer: Kind) -> bool {
        let expr = self.expression();
        let height = self.height;
        let close = self.peek();
        if close.kind == Kind::SeqEnd {
            self.read();
        } else {
            if !self.recovering() {
                self.unclosed_interpolation(close, start, closer);
            }
            self.recover_to(Kind::SeqEnd);
        }
        let range = between(open.range(), close.range());
        self.parts.push(Part { kind: PartKind::Interpolation(expr), range, height });
        close.kind == Kind::SeqEnd && close.len() == 2
    }

    fn unclosed_interpolation(&mut self, close: Token, start: TextRange, closer: Kind) {
        let stray_quote = closer == Kind::CQuote && matches!(close.kind, Kind::CQuote | Kind::OQuote);
        if close.kind == Kind::Eof || stray_quote {
            self.error(
                &codes::UNCLOSED_INTERPOLATION,
                start,
                "This interpolation has no closing brace. Add one, or write $${ for a literal ${.",
            );
            return;
        }
        let detail = if close.kind == Kind::Colon {
            "An interpolation contains a single expression, so a colon is not allowed here. If this text is meant for another program, write $${ for a literal ${."
        } else {
            "Expected the closing brace of the interpolation after the expression."
        };
        self.error_within(&codes::EXTRA_AFTER_INTERPOLATION, close.range(), between(start, close.range()), detail);
    }

    /// Parses the rest of `%{`. Returns whether the next literal must be trimmed.
    fn directive(&mut self, open: Token, start: TextRange) -> bool {
        let word = self.peek();
        if word.kind != Kind::Ident {
            if !self.recovering() {
                self.error_within(
                    &codes::INVALID_DIRECTIVE,
                    word.range(),
                    between(open.range(), word.range()),
                    "Expected one of the directives if, else, endif, for and endfor.",
                );
            }
            self.recover_to(Kind::SeqEnd);
            return false;
        }
        self.read();
        self.height = 1;
        let kind = match self.bytes(word) {
            b"if" => PartKind::If(self.expression()),
            b"else" => PartKind::Else,
            b"endif" => PartKind::EndIf,
            b"endfor" => PartKind::EndFor,
            b"for" => match self.for_directive() {
                Some(kind) => kind,
                None => return false,
            },
            _ => {
                if !self.recovering() {
                    self.error_within(
                        &codes::INVALID_DIRECTIVE_KEYWORD,
                        word.range(),
                        between(open.range(), word.range()),
                        "This is not a directive. The directives are if, else, endif, for and endfor.",
                    );
                }
                self.recover_to(Kind::SeqEnd);
                return false;
            }
        };
        let close = self.peek();
        self.parts.push(Part { kind, range: between(open.range(), close.range()), height: self.height });
        if close.kind == Kind::SeqEnd {
            self.read();
            return close.len() == 2;
        }
        if !self.recovering() {
            let name = String::from_utf8_lossy(self.bytes(word));
            let diagnostic = Diagnostic::tool(
                &codes::EXTRA_IN_DIRECTIVE,
                self.span(close.range()),
                format!("Expected a closing brace after the {name} directive."),
            );
            let context = self.span(between(start, close.range()));
            self.report(diagnostic.titled(format!("Extra characters in {name} marker")).within(context));
        }
        self.recover_to(Kind::SeqEnd);
        false
    }

    /// Parses what follows `%{ for`. Returns `None` if it cannot be parsed and was skipped.
    fn for_directive(&mut self) -> Option<PartKind> {
        let mut key_var = None;
        let mut value_var = self.directive_variable()?;
        if self.eat(Kind::Comma).is_some() {
            key_var = Some(value_var);
            value_var = self.directive_variable()?;
        }
        let next = self.peek();
        if !self.is_word(next, b"in") {
            return self.bad_for_directive(next, "Expected \"in\" after the variables of the for directive.");
        }
        self.read();
        let collection = self.expression();
        Some(PartKind::For { key_var, value_var, collection })
    }

    fn directive_variable(&mut self) -> Option<TextRange> {
        let next = self.peek();
        if next.kind == Kind::Ident {
            self.read();
            return Some(next.range());
        }
        self.bad_for_directive(next, "Expected a variable name in the for directive.")
    }

    fn bad_for_directive<T>(&mut self, next: Token, detail: &'static str) -> Option<T> {
        if !self.recovering() {
            self.error(&codes::INVALID_FOR_DIRECTIVE, next.range(), detail);
        }
        self.recover_to(Kind::SeqEnd);
        None
    }

    /// Removes the indentation common to all lines of a `<<-` heredoc.
    fn flush(&mut self, base: usize) {
        let mut least = usize::MAX;
        let mut line_start = true;
        let mut indented = Vec::new();
        for at in base..self.parts.len() {
            let kind = self.part(at).kind;
            let bytes = match kind {
                PartKind::Literal(text) => self.text_bytes(text),
                _ => &[],
            };
            if line_start {
                match kind {
                    PartKind::End => break,
                    PartKind::Literal(_) => {
                        let space = leading_space(bytes);
                        // Lines of only white space are neither considered nor changed.
                        if space < bytes.len() || bytes.last() != Some(&b'\n') {
                            least = least.min(clusters(bytes.split_at(space).0));
                            indented.push(at);
                        }
                    }
                    _ => least = 0,
                }
            }
            line_start = bytes.last() == Some(&b'\n');
        }
        if least == 0 {
            return;
        }
        for at in indented {
            let Part { kind: PartKind::Literal(text), .. } = self.part(at) else { continue };
            let bytes = self.text_bytes(text);
            let cut = first_clusters(bytes, least);
            let rest = Self::part_of(text, cut, bytes.len());
            if let Some(part) = self.parts.get_mut(at) {
                part.kind = PartKind::Literal(rest);
                part.range.start += cut as u32;
            }
        }
    }

    /// Merges consecutive literals into one part.
    fn join_literals(&mut self, base: usize) {
        let mut kept = base;
        for at in base..self.parts.len() {
            let part = self.part(at);
            if let PartKind::Literal(text) = part.kind
                && at > base
                && let Part { kind: PartKind::Literal(before), range, .. } = self.part(kept)
            {
                let joined = self.join(before, text);
                if let Some(last) = self.parts.get_mut(kept) {
                    last.kind = PartKind::Literal(joined);
                    last.range = between(range, part.range);
                }
                continue;
            }
            if at > base {
                kept += 1;
            }
            if let Some(slot) = self.parts.get_mut(kept) {
                *slot = part;
            }
        }
        self.parts.truncate(kept + 1);
    }

    // ---- the tree of directives

    fn part(&self, at: usize) -> Part {
        let end = Part { kind: PartKind::End, range: TextRange::default(), height: 0 };
        self.parts.get(at).copied().unwrap_or(end)
    }

    /// Returns the expression of the part at `at`, up to and including its end directive. Not used for the end part.
    fn part_expression(&mut self, at: &mut usize) -> Id<Expr> {
        let part = self.part(*at);
        match part.kind {
            PartKind::Literal(text) => {
                *at += 1;
                self.leaf(ExprKind::Text(text), part.range)
            }
            PartKind::Interpolation(expr) => {
                *at += 1;
                self.height = part.height;
                expr
            }
            PartKind::If(_) | PartKind::For { .. } => {
                match self.descend(|parser| match part.kind {
                    PartKind::If(cond) => parser.if_directive(part, cond, at),
                    _ => parser.for_body(part, at),
                }) {
                    Some(expr) => expr,
                    None => {
                        // Too deep: no further parts are processed.
                        *at = self.parts.len();
                        self.placeholder(part.range)
                    }
                }
            }
            PartKind::Else | PartKind::EndIf | PartKind::EndFor => {
                *at += 1;
                self.unexpected_directive(part, "No directive is open that this one could continue or end. Remove it, or add the directive that it belongs to.")
            }
            PartKind::End => {
                *at += 1;
                self.placeholder(part.range)
            }
        }
    }

    fn unexpected_directive(&mut self, part: Part, detail: &'static str) -> Id<Expr> {
        let name = part.kind.ending_word().unwrap_or_default();
        let diagnostic = Diagnostic::tool(&codes::UNEXPECTED_DIRECTIVE, self.span(part.range), detail);
        self.report(diagnostic.titled(format!("Unexpected {name} directive")));
        self.placeholder(part.range)
    }

    fn unexpected_end(&mut self, part: Part, open: &'static str) -> Id<Expr> {
        self.error(
            &codes::UNEXPECTED_TEMPLATE_END,
            part.range,
            format!("The template ends before its {open} directive is closed. Add end{open}."),
        );
        self.placeholder(part.range)
    }

    fn if_directive(&mut self, open: Part, cond: Id<Expr>, at: &mut usize) -> Id<Expr> {
        *at += 1;
        let then_from = self.children.len();
        let mut else_from = None;
        let mut highest = 1;
        let close = loop {
            let part = self.part(*at);
            let wrong = match part.kind {
                PartKind::End => self.unexpected_end(part, "if"),
                PartKind::Else if else_from.is_none() => {
                    *at += 1;
                    else_from = Some(self.children.len());
                    continue;
                }
                PartKind::EndIf => {
                    *at += 1;
                    break part;
                }
                PartKind::Else => {
                    *at += 1;
                    self.unexpected_directive(
                        part,
                        "The if directive that is open here already has an else. Remove one of the two, or close the directive with endif first.",
                    )
                }
                PartKind::EndFor => {
                    *at += 1;
                    self.unexpected_directive(part, "An if directive is still open here. Close it with endif first.")
                }
                _ => {
                    let expr = self.part_expression(at);
                    highest = self.height.max(highest);
                    self.children.push(expr);
                    continue;
                }
            };
            self.children.truncate(then_from);
            return wrong;
        };
        let or_else = {
            let from = else_from.unwrap_or(self.children.len());
            self.branch(from, close.range.start)
        };
        let then = self.branch(then_from, open.range.end);
        // A branch is a separate template.
        self.height = highest.saturating_add(1);
        self.grow_height(open.height);
        let kind = ExprKind::TemplateIf { cond, then, or_else: Some(or_else) };
        self.add(kind, between(open.range, close.range))
    }

    fn for_body(&mut self, open: Part, at: &mut usize) -> Id<Expr> {
        let PartKind::For { key_var, value_var, collection } = open.kind else { return self.placeholder(open.range) };
        *at += 1;
        let from = self.children.len();
        let mut highest = 1;
        let close = loop {
            let part = self.part(*at);
            let wrong = match part.kind {
                PartKind::End => self.unexpected_end(part, "for"),
                PartKind::EndFor => {
                    *at += 1;
                    break part;
                }
                PartKind::Else | PartKind::EndIf => {
                    *at += 1;
                    self.unexpected_directive(
                        part,
                        "A for directive is still open here, and it cannot have an else. Close it with endfor first.",
                    )
                }
                _ => {
                    let expr = self.part_expression(at);
                    highest = self.height.max(highest);
                    self.children.push(expr);
                    continue;
                }
            };
            self.children.truncate(from);
            return wrong;
        };
        let value = self.branch(from, open.range.end);
        let id = Id::new(self.tree.fors.len() as u32);
        self.tree.fors.push(For {
            key_var,
            value_var,
            collection,
            key: None,
            value,
            cond: None,
            group: false,
            open: open.range,
            close: close.range,
        });
        self.height = highest.saturating_add(2);
        self.grow_height(open.height);
        let range = between(open.range, close.range);
        let expr = self.add(ExprKind::For(id), range);
        self.add(ExprKind::TemplateFor(expr), range)
    }

    /// Makes a template of the children since `from`; if there are none, an empty text at `empty`.
    fn branch(&mut self, from: usize, empty: u32) -> Id<Expr> {
        if self.children.len() == from {
            let range = TextRange::new(empty, empty);
            let text = self.leaf(ExprKind::Text(Text::Source(range)), range);
            self.children.push(text);
        }
        let ends = self.children.get(from).zip(self.children.last()).map(|(first, last)| (*first, *last));
        let range =
            ends.map_or_else(TextRange::default, |(first, last)| between(self.range_of(first), self.range_of(last)));
        let parts = self.list_from(from);
        self.add(ExprKind::Template { form: TemplateForm::Inner, parts }, range)
    }
}

/// Returns the number of grapheme clusters in `space`, which is white space.
fn clusters(space: &[u8]) -> usize {
    if space.is_ascii() {
        return space.len();
    }
    std::str::from_utf8(space).map_or(space.len(), |space| space.graphemes(true).count())
}

/// Returns the length in bytes of the first `count` clusters of `bytes`, or of all if there are fewer.
fn first_clusters(bytes: &[u8], count: usize) -> usize {
    if bytes.get(..=count).is_some_and(<[u8]>::is_ascii) {
        return count;
    }
    let Some(chunk) = bytes.utf8_chunks().next() else { return 0 };
    chunk.valid().graphemes(true).take(count).map(str::len).sum()
}
