//! Bodies, arguments and blocks (syntax.md, sections 2 and 5).

use std::collections::HashSet;

use super::parser::{Parser, between};
use super::token::{Kind, Token};
use crate::codes;
use crate::tree::{Attribute, Block, BlockLabel, Body, Id, Ids, Text};
use overfold_base::account;
use overfold_base::diag::TextRange;

/// Bodies with at most this many arguments are checked for duplicates by linear search.
const FEW: usize = 12;

/// An item of a body, as far as it could be read.
enum Item {
    Attribute(Attribute),
    Block(Block),
    /// No item could be read; the parser has recovered.
    Nothing,
}

impl<'t> Parser<'t> {
    /// Parses a body up to and including the token `end`: a closing brace, or the end of the text.
    pub(super) fn body(&mut self, end: Kind) -> Id<Body> {
        let opener = self.previous();
        let first_attribute = self.attributes.len();
        let first_block = self.blocks.len();
        let mut names: Option<HashSet<&'t [u8]>> = None;
        let mut has_long_name = false;
        let last = loop {
            let next = self.peek();
            match next.kind {
                kind if kind == end => {
                    self.read();
                    break next.range();
                }
                Kind::Newline => {
                    self.read();
                }
                Kind::Ident => match self.item() {
                    Item::Attribute(Attribute { name_range, .. })
                        if !self.accepts_name(name_range.end - name_range.start, name_range) =>
                    {
                        has_long_name = true;
                    }
                    Item::Attribute(attribute) => {
                        if self.is_new_name(attribute.name_range, first_attribute, &mut names) {
                            self.attributes.push(attribute);
                        } else {
                            self.error(
                                &codes::ARGUMENT_REDEFINED,
                                attribute.name_range,
                                format!(
                                    "The argument {:?} is already set in this body, and only the first definition is \
                                     used. Remove this one.",
                                    self.name(attribute.name_range)
                                ),
                            );
                        }
                    }
                    Item::Block(block) => {
                        if self.accepts_block(&block) {
                            self.blocks.push(block);
                        }
                    }
                    Item::Nothing => {}
                },
                _ => {
                    let stray = self.read();
                    if !self.recovering() {
                        self.stray_in_body(stray, opener);
                    }
                    self.recover_to(end);
                    break stray.range();
                }
            }
        };
        let range = between(opener, last);
        self.has_long_name = has_long_name;
        self.add_body(first_attribute, first_block, range, TextRange::new(last.end, last.end))
    }

    /// Whether the names of a block that was just parsed, and those of its arguments, are short enough.
    fn accepts_block(&mut self, block: &Block) -> bool {
        let mut accepted = !std::mem::take(&mut self.has_long_name);
        accepted &= self.accepts_name(block.type_range.end - block.type_range.start, block.type_range);
        for at in block.labels.indexes() {
            let Some(&BlockLabel { text, range }) = self.tree.labels.get(at) else { continue };
            let length = match text {
                Text::Source(range) => range.end - range.start,
                Text::Decoded(start, end) => end - start,
            };
            accepted &= self.accepts_name(length, range);
        }
        accepted
    }

    fn add_body(
        &mut self,
        first_attribute: usize,
        first_block: usize,
        range: TextRange,
        end_range: TextRange,
    ) -> Id<Body> {
        let attributes = self.tree.attributes.len() as u32;
        self.tree.attributes.reserve(self.attributes.len() - first_attribute);
        self.tree.attributes.extend(self.attributes.drain(first_attribute..));
        let blocks = self.tree.blocks.len() as u32;
        self.tree.blocks.reserve(self.blocks.len() - first_block);
        self.tree.blocks.extend(self.blocks.drain(first_block..));
        let id = Id::new(self.tree.bodies.len() as u32);
        self.tree.bodies.push(Body {
            attributes: Ids::new(attributes, self.tree.attributes.len() as u32),
            blocks: Ids::new(blocks, self.tree.blocks.len() as u32),
            range,
            end_range,
        });
        id
    }

    fn name(&self, range: TextRange) -> std::borrow::Cow<'t, str> {
        String::from_utf8_lossy(self.name_bytes(range))
    }

    fn name_bytes(&self, range: TextRange) -> &'t [u8] {
        range.bytes_of(self.text)
    }

    /// Returns whether no attribute since `first` has this name. `names` is filled once there are more than a few.
    fn is_new_name(&self, name: TextRange, first: usize, names: &mut Option<HashSet<&'t [u8]>>) -> bool {
        let known = self.attributes.get(first..).unwrap_or_default();
        let name = self.name_bytes(name);
        if let Some(names) = names {
            return names.insert(name);
        }
        let is_new = known.iter().all(|attribute| self.name_bytes(attribute.name_range) != name);
        if known.len() >= FEW {
            let all = known.iter().map(|attribute| self.name_bytes(attribute.name_range)).chain([name]);
            *names = Some(all.collect());
        }
        is_new
    }

    fn stray_in_body(&mut self, stray: Token, opener: TextRange) {
        match stray.kind {
            Kind::OQuote => self.error(
                &codes::INVALID_ARGUMENT_NAME,
                stray.range(),
                "Argument names and block types are written without quotes. Remove the quotes.",
            ),
            Kind::Eof if self.grammar.reports_open_construct_at_end => self.error(
                &codes::UNCLOSED_BLOCK,
                opener,
                "This block is never closed. If its closing brace is there, check the braces inside the block.",
            ),
            _ => self.error(
                &codes::ITEM_REQUIRED,
                stray.range(),
                "Expected an argument (a name and \"=\") or a block (a type and \"{\") here.",
            ),
        }
    }

    /// Parses an argument or a block; the next token is an identifier.
    fn item(&mut self) -> Item {
        let name = self.read();
        match self.peek().kind {
            Kind::Equal => Item::Attribute(self.attribute(name, false)),
            Kind::OQuote | Kind::OBrace | Kind::Ident => Item::Block(self.block(name)),
            _ => {
                self.recover_after_item();
                self.error(
                    &codes::ITEM_REQUIRED,
                    name.range(),
                    "A name alone is neither an argument nor a block. Write \"=\" and a value after it to set an \
                     argument, or \"{\" to begin a block.",
                );
                Item::Nothing
            }
        }
    }

    /// Parses the rest of an argument; the next token is the equals sign.
    fn attribute(&mut self, name: Token, one_line: bool) -> Attribute {
        let equals = self.read();
        let mark = self.mark();
        let expr = self.expression();
        // The end of the value, as far as it could be parsed.
        let end = self.previous();
        if self.failed_since(mark) {
            self.recover_after_item();
        } else if !one_line {
            let next = self.peek();
            if matches!(next.kind, Kind::Newline | Kind::Eof) {
                self.read();
            } else {
                if !self.recovering() {
                    let context = between(name.range(), next.range());
                    if next.kind == Kind::Comma {
                        self.error_within(
                            &codes::COMMA_AFTER_ARGUMENT,
                            next.range(),
                            context,
                            "Arguments are separated by new lines. Remove the comma.",
                        );
                    } else {
                        self.error_within(
                            &codes::MISSING_NEWLINE_AFTER_ARGUMENT,
                            next.range(),
                            context,
                            "Expected a new line after the argument's value.",
                        );
                    }
                }
                self.recover_after_item();
            }
        }
        Attribute { range: between(name.range(), end), name_range: name.range(), equals_range: equals.range(), expr }
    }

    /// Parses the rest of a block after its type.
    fn block(&mut self, name: Token) -> Block {
        account::work(1);
        let first_label = self.tree.labels.len() as u32;
        let open = loop {
            let next = self.peek();
            match next.kind {
                Kind::OBrace => break self.read(),
                Kind::OQuote => {
                    let label = self.quoted_label();
                    self.tree.labels.push(label);
                }
                Kind::Ident => {
                    self.read();
                    self.tree.labels.push(BlockLabel { text: Text::Source(next.range()), range: next.range() });
                }
                _ => {
                    self.bad_header(name, next);
                    self.recover_after_item();
                    self.has_long_name = false;
                    let body = self.add_body(self.attributes.len(), self.blocks.len(), name.range(), name.range());
                    let labels = Ids::new(first_label, self.tree.labels.len() as u32);
                    return self.finish_block(name, labels, name.range(), name.range(), body);
                }
            }
        };
        let labels = Ids::new(first_label, self.tree.labels.len() as u32);
        self.has_long_name = false;
        let body = match self.peek().kind {
            Kind::Newline | Kind::Eof | Kind::CBrace => self.descend(|parser| parser.body(Kind::CBrace)),
            _ => self.one_line_body(name, open),
        };
        let close = self.previous();
        let next = self.peek();
        if matches!(next.kind, Kind::Newline | Kind::Eof) {
            self.read();
        } else {
            if !self.recovering() {
                self.error_within(
                    &codes::MISSING_NEWLINE_AFTER_BLOCK,
                    next.range(),
                    between(name.range(), next.range()),
                    "Expected a new line after the closing brace of the block.",
                );
            }
            self.recover_after_item();
        }
        let body = match body {
            Some(body) => body,
            None => self.add_body(
                self.attributes.len(),
                self.blocks.len(),
                between(open.range(), close),
                TextRange::new(close.end, close.end),
            ),
        };
        self.finish_block(name, labels, open.range(), close, body)
    }

    fn finish_block(
        &mut self,
        name: Token,
        labels: Ids<BlockLabel>,
        open: TextRange,
        close: TextRange,
        body: Id<Body>,
    ) -> Block {
        let header_end = self.tree.labels(labels).last().map(|label| label.range);
        Block {
            type_range: name.range(),
            labels,
            def_range: between(name.range(), header_end.unwrap_or(name.range())),
            range: between(name.range(), close),
            open_brace: open,
            close_brace: close,
            body,
        }
    }

    fn bad_header(&mut self, name: Token, next: Token) {
        let detail = match next.kind {
            Kind::Equal => {
                "An equals sign can follow only the name of an argument, but a label before it makes this a block. Remove the label, or write \"{\" instead of the equals sign."
            }
            Kind::Newline => {
                "The opening brace of a block must be on the same line as its type and labels. Move it there."
            }
            _ if self.recovering() => return,
            _ => "Expected a label (a name or a quoted string) or an opening brace after the block type.",
        };
        self.error_within(&codes::INVALID_BLOCK, next.range(), between(name.range(), next.range()), detail);
    }

    /// Parses the content of a block written on one line, up to and including its closing brace.
    fn one_line_body(&mut self, name: Token, open: Token) -> Option<Id<Body>> {
        let place = self.place();
        let body = self.one_argument();
        let found = self.place();
        let next = self.peek();
        match next.kind {
            Kind::CBrace => {
                self.read();
                return body;
            }
            Kind::Comma => self.error(
                &codes::INVALID_ONE_LINE_BLOCK,
                next.range(),
                "A block on one line can contain only one argument, and commas are not allowed. Write each argument \
                 on its own line.",
            ),
            Kind::Newline => self.error(
                &codes::INVALID_ONE_LINE_BLOCK,
                next.range(),
                "Expected a closing brace after the argument. To write a block over several lines, start a new line \
                 after the opening brace.",
            ),
            Kind::Eof if self.grammar.reports_open_construct_at_end && !self.recovering() => self.error_within(
                &codes::UNCLOSED_BLOCK,
                open.range(),
                between(name.range(), open.range()),
                "This block is never closed: the file ends before its closing brace.",
            ),
            _ if !self.recovering() => self.error_within(
                &codes::INVALID_ONE_LINE_BLOCK,
                next.range(),
                between(name.range(), next.range()),
                "Expected a closing brace: a block on one line can contain only one argument.",
            ),
            _ => {}
        }
        // The tool reports the error in the block itself before those in its content.
        self.move_last_to(place, found);
        self.recover_to(Kind::CBrace);
        body
    }

    fn one_argument(&mut self) -> Option<Id<Body>> {
        let name = self.read();
        if name.kind != Kind::Ident {
            self.recover_after_item();
            self.error(
                &codes::ITEM_REQUIRED,
                name.range(),
                "Expected an argument (a name and \"=\") after the opening brace of this block.",
            );
            return None;
        }
        let next = self.peek();
        match next.kind {
            Kind::Equal => {
                let attribute = self.attribute(name, true);
                let first = self.attributes.len();
                let named = attribute.name_range;
                self.has_long_name = !self.accepts_name(named.end - named.start, named);
                self.attributes.push(attribute);
                let end = attribute.range.end;
                Some(self.add_body(first, self.blocks.len(), attribute.range, TextRange::new(end, end)))
            }
            Kind::OQuote | Kind::OBrace | Kind::Ident => {
                self.recover_after_item();
                self.error(
                    &codes::ONE_LINE_ARGUMENT_REQUIRED,
                    between(name.range(), next.range()),
                    "A block on one line cannot contain another block. Write the inner block on its own lines.",
                );
                None
            }
            _ => {
                self.recover_after_item();
                self.error(
                    &codes::ITEM_REQUIRED,
                    name.range(),
                    "A name alone is not an argument. Write \"=\" and a value after it.",
                );
                None
            }
        }
    }

    /// Parses a quoted label, or the text between the brackets of a quoted reference; the next token is the quote.
    pub(super) fn quoted_label(&mut self) -> BlockLabel {
        let open = self.read();
        let mut text = Text::Source(TextRange::new(open.end, open.end));
        let end = loop {
            let token = self.read();
            let context = between(open.range(), token.range());
            match token.kind {
                Kind::CQuote => break token,
                Kind::Quoted | Kind::QuotedEscaped => {
                    let piece = self.literal(token);
                    text = self.join(text, piece);
                }
                Kind::Interp | Kind::Control => {
                    let marker = if token.kind == Kind::Interp { "$" } else { "%" };
                    self.error_within(
                        &codes::INVALID_LABEL,
                        token.range(),
                        context,
                        format!(
                            "Interpolations and directives are not allowed in this string. For a literal \
                                 {marker}{{ write {marker}{marker}{{."
                        ),
                    );
                    let piece = self.decoded(&format!("{marker}{{ ... }}"));
                    text = self.join(text, piece);
                    self.recover_to(Kind::SeqEnd);
                }
                Kind::Eof => {
                    self.error_within(
                        &codes::UNTERMINATED_LABEL,
                        token.range(),
                        context,
                        "This string has no closing quote. Add one on the same line.",
                    );
                    break token;
                }
                _ => {
                    self.error_within(
                        &codes::INVALID_LABEL,
                        token.range(),
                        context,
                        "A quoted string must end on the line it begins on, and cannot contain this character.",
                    );
                    self.recover_to(Kind::CQuote);
                    break token;
                }
            }
        };
        BlockLabel { text, range: between(open.range(), end.range()) }
    }
}
