//! Builds a value tree from tokens and recovers from errors as the tools do (syntax.md, section 6): an invalid value
//! becomes an invalid node, and its object or array continues; a structural error drops the whole object or array. No
//! recursion.

use bytes::Bytes;

use super::scanner::{Scanner, Token, TokenKind};
use super::{JsonKind, JsonNode, JsonText, JsonTree, Property, codes, text};
use crate::SyntaxLimits;
use crate::names::exceeds;
use crate::tree::{Id, Ids};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Reporting, SourceId, Span, TextRange};

/// The maximum number of strings per text that get separate columns, see [`parse`].
const MAX_MEASURED: usize = 256;

/// Parses a JSON text. Always produces a tree; problems go to `out`.
///
/// Inside a broken string the tool counts columns in bytes, and everywhere else in grapheme clusters. Where the two
/// differ, a problem is therefore placed in a separate source. The caller must add the returned ranges as the sources
/// right after `source`, in this order, each embedded at its range with one column per byte.
pub fn parse(
    source: SourceId,
    text: Bytes,
    limits: SyntaxLimits,
    out: &mut Diagnostics,
) -> (JsonTree, Vec<TextRange>) {
    let mut scanner = Scanner::new(&text, limits.tokens);
    let next = scanner.next();
    let mut parser = Parser {
        source,
        text: &text,
        scanner,
        next,
        depth: limits.depth as usize,
        reported_cut: false,
        reported_deep: false,
        nodes: List::new(),
        lists: List::new(),
        properties: Vec::new(),
        decoded: String::new(),
        open_items: Vec::new(),
        open_properties: Vec::new(),
        measured: Vec::new(),
        out,
    };
    let (root, verdict) = parser.watch(Parser::root);
    if verdict.is_clean() && parser.next.kind != TokenKind::End {
        let at = parser.next.range;
        parser.report(
            &codes::EXTRANEOUS_DATA,
            at,
            "A file can contain only one JSON value. Everything after this value is ignored.",
        );
    }
    let mut tree = JsonTree {
        source,
        text: Bytes::new(),
        root,
        body: root,
        nodes: parser.nodes,
        lists: parser.lists,
        properties: parser.properties,
        decoded: parser.decoded,
        has_long_names: false,
    };
    let measured = parser.measured;
    tree.text = text;
    tree.has_long_names =
        tree.properties.iter().skimmed(16).any(|property| exceeds(tree.str(property.name).len(), limits.name_bytes));
    if !matches!(tree.node(root).kind, JsonKind::Object { .. } | JsonKind::Array { .. }) {
        out.push(Diagnostic::tool(
            &codes::NO_OBJECT,
            tree.start_range(root).in_source(source),
            "Expected one JSON object, or an array of objects. Nothing was read from this file.",
        ));
        let nowhere = TextRange::new(0, 0);
        tree.body = Id::new(tree.nodes.len() as u32);
        tree.nodes.push(JsonNode {
            kind: JsonKind::Object { properties: Ids::EMPTY, open: nowhere, close: nowhere },
            range: nowhere,
        });
    }
    (tree, measured)
}

struct Parser<'t, 'o> {
    source: SourceId,
    text: &'t [u8],
    scanner: Scanner<'t>,
    /// The next token, not yet consumed.
    next: Token,
    depth: usize,
    reported_cut: bool,
    reported_deep: bool,
    nodes: List<JsonNode>,
    lists: List<Id<JsonNode>>,
    properties: Vec<Property>,
    decoded: String,
    /// The elements of all open arrays, outermost array first.
    open_items: Vec<Id<JsonNode>>,
    /// The properties of all open objects, outermost object first.
    open_properties: Vec<Property>,
    /// The ranges that [`parse`] returns with the tree.
    measured: Vec<TextRange>,
    out: &'o mut Diagnostics,
}

/// An object or array that is still open.
struct Frame {
    open: TextRange,
    /// The index of its first element or property in the parser's list of open ones.
    first: usize,
    state: State,
}

enum State {
    Array,
    /// An object waiting for a name.
    Name,
    /// An object waiting for the value of this name.
    Value(Name),
}

#[derive(Clone, Copy)]
struct Name {
    node: Id<JsonNode>,
    text: JsonText,
    range: TextRange,
}

/// The result of passing a value to its parent.
enum ParentStep {
    /// The parent waits for its next value.
    More,
    /// The parent ends, as this node.
    Done(Id<JsonNode>),
}

impl Reporting for Parser<'_, '_> {
    fn sink(&mut self) -> &mut Diagnostics {
        self.out
    }
}

impl Parser<'_, '_> {
    fn root(&mut self) -> Id<JsonNode> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let mut value = match self.begin(frames.len()) {
                ValueStart::Node(node) => node,
                ValueStart::Open(frame) => {
                    let Some(node) = self.close_if_empty(&frame) else {
                        frames.push(frame);
                        continue;
                    };
                    node
                }
            };
            loop {
                let Some(frame) = frames.last_mut() else { return value };
                match self.take(frame, value) {
                    ParentStep::More => break,
                    ParentStep::Done(node) => {
                        if let Some(frame) = frames.pop() {
                            self.discard(&frame);
                        }
                        value = node;
                    }
                }
            }
        }
    }

    /// Begins the value at the next token. If no value begins there, nothing is consumed.
    fn begin(&mut self, depth: usize) -> ValueStart {
        let token = self.next;
        let kind = match token.kind {
            TokenKind::OpenBrace | TokenKind::OpenBracket if depth >= self.depth => {
                self.skip_too_deep();
                JsonKind::Invalid
            }
            TokenKind::OpenBrace => {
                self.read();
                return ValueStart::Open(Frame {
                    open: token.range,
                    first: self.open_properties.len(),
                    state: State::Name,
                });
            }
            TokenKind::OpenBracket => {
                self.read();
                return ValueStart::Open(Frame {
                    open: token.range,
                    first: self.open_items.len(),
                    state: State::Array,
                });
            }
            TokenKind::Number => self.number(),
            TokenKind::Text => self.string(),
            TokenKind::Keyword => self.keyword(),
            TokenKind::CloseBrace => {
                self.report(&codes::MISSING_JSON_VALUE, token.range, "Expected a value before this closing brace.");
                JsonKind::Invalid
            }
            TokenKind::CloseBracket => {
                self.report(&codes::MISSING_ELEMENT, token.range, "Expected a value before this closing bracket.");
                JsonKind::Invalid
            }
            TokenKind::End => {
                self.report(&codes::MISSING_VALUE, token.range, "Expected a JSON value here, but the input ends.");
                JsonKind::Invalid
            }
            TokenKind::Colon | TokenKind::Comma | TokenKind::Equals | TokenKind::Invalid => {
                self.report(
                    &codes::INVALID_START,
                    token.range,
                    "Expected a JSON value here: an object, an array, a string in double quotes, a number, true, \
                     false or null. Comments are not allowed in JSON.",
                );
                JsonKind::Invalid
            }
        };
        ValueStart::Node(self.node(kind, token.range))
    }

    fn close_if_empty(&mut self, frame: &Frame) -> Option<Id<JsonNode>> {
        let closer = match frame.state {
            State::Array => TokenKind::CloseBracket,
            State::Name | State::Value(_) => TokenKind::CloseBrace,
        };
        (self.next.kind == closer).then(|| self.close(frame))
    }

    /// Ends an object or array at its closing bracket, which is the next token.
    fn close(&mut self, frame: &Frame) -> Id<JsonNode> {
        let close = self.read().range;
        let open = frame.open;
        let kind = if matches!(frame.state, State::Array) {
            let start = self.lists.len() as u32;
            self.lists.extend(self.open_items.drain(frame.first.min(self.open_items.len())..));
            JsonKind::Array { items: Ids::new(start, self.lists.len() as u32), open, close }
        } else {
            let start = self.properties.len() as u32;
            self.properties.extend(self.open_properties.drain(frame.first.min(self.open_properties.len())..));
            JsonKind::Object { properties: Ids::new(start, self.properties.len() as u32), open, close }
        };
        self.node(kind, open.to(close))
    }

    /// Discards the elements or properties collected for an object or array that was not completed.
    fn discard(&mut self, frame: &Frame) {
        if matches!(frame.state, State::Array) {
            self.open_items.truncate(frame.first);
        } else {
            self.open_properties.truncate(frame.first);
        }
    }

    /// Passes a value to the enclosing object or array, then reads on to its next value or its end.
    fn take(&mut self, frame: &mut Frame, value: Id<JsonNode>) -> ParentStep {
        match frame.state {
            State::Array => {
                self.open_items.push(value);
                self.after_item(frame)
            }
            State::Name => self.after_name(frame, value),
            State::Value(name) => {
                self.open_properties.push(Property {
                    name: name.text,
                    name_range: name.range,
                    name_node: name.node,
                    value,
                });
                self.after_value(frame)
            }
        }
    }

    fn after_name(&mut self, frame: &mut Frame, name: Id<JsonNode>) -> ParentStep {
        let Some(&JsonNode { kind: JsonKind::Text(text), range }) = self.nodes.get(name.index()) else {
            let at = self.start_range(name);
            return self.fail(
                frame,
                &codes::INVALID_NAME,
                at,
                "Expected a property name, which is a string in double quotes.",
            );
        };
        let colon = self.read();
        match colon.kind {
            TokenKind::Colon => {
                frame.state = State::Value(Name { node: name, text, range });
                ParentStep::More
            }
            TokenKind::CloseBrace | TokenKind::Comma => {
                self.recover(colon, TokenKind::OpenBrace, TokenKind::CloseBrace);
                self.out.push(
                    Diagnostic::tool(
                        &codes::MISSING_OBJECT_VALUE,
                        colon.range.in_source(self.source),
                        "Expected a colon and a value after the property name. For a list of values, use square \
                         brackets.",
                    )
                    .within(frame.open.to(colon.range).in_source(self.source)),
                );
                ParentStep::Done(self.node(JsonKind::Invalid, frame.open))
            }
            _ => {
                self.recover(colon, TokenKind::OpenBrace, TokenKind::CloseBrace);
                let detail = if colon.kind == TokenKind::Equals {
                    "Use a colon, not an equals sign, between a property name and its value."
                } else {
                    "Expected a colon between the property name and its value."
                };
                self.fail(frame, &codes::MISSING_COLON, colon.range, detail)
            }
        }
    }

    fn after_value(&mut self, frame: &mut Frame) -> ParentStep {
        match self.next.kind {
            TokenKind::Comma => {
                let comma = self.read();
                if self.next.kind == TokenKind::CloseBrace {
                    return self.fail(
                        frame,
                        &codes::TRAILING_COMMA_OBJECT,
                        comma.range,
                        "Remove the comma after the last property.",
                    );
                }
                frame.state = State::Name;
                ParentStep::More
            }
            TokenKind::CloseBrace => ParentStep::Done(self.close(frame)),
            TokenKind::End => {
                self.fail(frame, &codes::UNCLOSED_OBJECT, frame.open, "This object has no closing brace.")
            }
            TokenKind::CloseBracket => {
                self.read();
                let at = self.next.range;
                self.fail(
                    frame,
                    &codes::MISMATCHED_BRACES,
                    at,
                    "This object is closed by a bracket. Close it with a brace instead.",
                )
            }
            _ => {
                let token = self.read();
                self.recover(token, TokenKind::OpenBrace, TokenKind::CloseBrace);
                let at = self.next.range;
                self.fail(frame, &codes::MISSING_COMMA, at, "Expected a comma between two properties of an object.")
            }
        }
    }

    fn after_item(&mut self, frame: &mut Frame) -> ParentStep {
        let token = self.next;
        let (code, detail): (&'static Code, _) = match token.kind {
            TokenKind::Comma => {
                self.read();
                if self.next.kind == TokenKind::CloseBracket {
                    return self.fail(
                        frame,
                        &codes::TRAILING_COMMA_ARRAY,
                        token.range,
                        "Remove the comma after the last element.",
                    );
                }
                return ParentStep::More;
            }
            TokenKind::CloseBracket => return ParentStep::Done(self.close(frame)),
            TokenKind::End => {
                return self.fail(frame, &codes::UNCLOSED_ARRAY, frame.open, "This array has no closing bracket.");
            }
            TokenKind::Colon => (
                &codes::INVALID_ARRAY_VALUE,
                "An array element cannot be followed by a colon. For properties with names, use an object in braces.",
            ),
            TokenKind::CloseBrace => {
                (&codes::MISMATCHED_BRACKETS, "This array is closed by a brace. Close it with a bracket instead.")
            }
            _ => (&codes::MISSING_COMMA, "Expected a comma between two elements of an array."),
        };
        self.read();
        self.recover(token, TokenKind::OpenBracket, TokenKind::CloseBracket);
        let at = self.next.range;
        self.fail(frame, code, at, detail)
    }

    /// Reports an error and drops the object or array.
    fn fail(&mut self, frame: &Frame, code: &'static Code, at: TextRange, detail: &'static str) -> ParentStep {
        self.report(code, at, detail);
        ParentStep::Done(self.node(JsonKind::Invalid, frame.open))
    }

    /// Skips to the presumed end of the object or array broken by `token`, which has been consumed. As in the tools,
    /// this ends one level too early if a bracket of the same kind is opened on the way.
    fn recover(&mut self, mut token: Token, opener: TokenKind, closer: TokenKind) {
        let mut open = 1u32;
        loop {
            if token.kind == opener {
                open += 1;
            } else if token.kind == closer {
                open -= 1;
                if open <= 1 {
                    return;
                }
            } else if token.kind == TokenKind::End {
                return;
            }
            token = self.read();
        }
    }

    /// Skips the object or array at the next token, which is nested too deeply.
    fn skip_too_deep(&mut self) {
        let at = self.next.range;
        if !self.reported_deep {
            self.reported_deep = true;
            self.out.push(Diagnostic::ours(
                &codes::TOO_DEEP,
                at.in_source(self.source),
                format!(
                    "Objects and arrays can be nested at most {} levels deep in this service. Anything deeper is ignored.",
                    self.depth
                ),
            ));
        }
        let mut open = 0u64;
        loop {
            match self.read().kind {
                TokenKind::OpenBrace | TokenKind::OpenBracket => open += 1,
                TokenKind::CloseBrace | TokenKind::CloseBracket => open = open.saturating_sub(1),
                TokenKind::End => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }

    fn number(&mut self) -> JsonKind {
        let token = self.read();
        if text::is_number(self.bytes(token.range)) {
            return JsonKind::Number;
        }
        self.report(
            &codes::INVALID_NUMBER,
            token.range,
            "This is not a valid JSON number. Use an optional minus sign, digits without leading zeros, and \
             optionally a fraction and an exponent.",
        );
        JsonKind::Invalid
    }

    fn string(&mut self) -> JsonKind {
        let token = self.read();
        let start = self.decoded.len() as u32;
        let string = token.range.bytes_of(self.text);
        match text::decode(string, &mut self.decoded) {
            Ok(text::DecodedText::Added) => JsonKind::Text(JsonText::Decoded(start, self.decoded.len() as u32)),
            Ok(text::DecodedText::AsWritten(end)) => {
                JsonKind::Text(JsonText::Source(TextRange::new(token.range.start + 1, token.range.start + end)))
            }
            Err(bad) => {
                let at = self.place_in_string(token.range.start, bad.seen);
                self.out.push(
                    Diagnostic::tool(
                        &codes::INVALID_STRING,
                        at,
                        "This string contains an unknown escape sequence or a control character, or it has no closing quote. The part up to here is not valid.",
                    )
                    .within(token.range.in_source(self.source)),
                );
                JsonKind::Invalid
            }
        }
    }

    /// Returns the place of the byte at `offset` from the beginning of a string, one byte and one column long.
    fn place_in_string(&mut self, start: u32, offset: u32) -> Span {
        let place = TextRange::new(start + offset, start + offset + 1);
        let whole = TextRange::new(start, place.end.min(self.text.len() as u32));
        let plain = self.bytes(whole).iter().all(|byte| matches!(byte, b' '..=b'~'));
        if plain || self.measured.len() >= MAX_MEASURED {
            return place.in_source(self.source);
        }
        self.measured.push(whole);
        let own = SourceId::new((self.source.index() + self.measured.len()) as u32);
        TextRange::new(offset, offset + 1).in_source(own)
    }

    fn keyword(&mut self) -> JsonKind {
        let token = self.read();
        let word = self.bytes(token.range);
        let detail = match word {
            b"true" => return JsonKind::Bool(true),
            b"false" => return JsonKind::Bool(false),
            b"null" => return JsonKind::Null,
            _ if word.eq_ignore_ascii_case(b"true")
                || word.eq_ignore_ascii_case(b"false")
                || word.eq_ignore_ascii_case(b"null") =>
            {
                "Write true, false and null in lower case."
            }
            b"undefined" | b"None" | b"nil" => "Use null for a value that is not set.",
            b"NaN" | b"Infinity" => "JSON cannot represent a number that is not finite.",
            _ => "The only JSON keywords are true, false and null. Put a string in double quotes.",
        };
        self.report(&codes::INVALID_KEYWORD, token.range, detail);
        JsonKind::Invalid
    }

    fn bytes(&self, range: TextRange) -> &[u8] {
        range.bytes_of(self.text)
    }

    fn start_range(&self, id: Id<JsonNode>) -> TextRange {
        match self.nodes.get(id.index()) {
            Some(JsonNode { kind: JsonKind::Object { open, .. } | JsonKind::Array { open, .. }, .. }) => *open,
            Some(node) => node.range,
            None => TextRange::default(),
        }
    }

    fn node(&mut self, kind: JsonKind, range: TextRange) -> Id<JsonNode> {
        account::work(1);
        self.nodes.push(JsonNode { kind, range });
        Id::new(self.nodes.len() as u32 - 1)
    }

    fn read(&mut self) -> Token {
        let token = self.next;
        self.next = self.scanner.next();
        token
    }

    /// Reports an error, unless the limit cut off the text: all further errors would only be consequences of that.
    fn report(&mut self, code: &'static Code, at: TextRange, detail: &'static str) {
        if self.scanner.is_exhausted() && self.next.kind == TokenKind::End {
            if !self.reported_cut {
                self.reported_cut = true;
                let end = self.next.range.in_source(self.source);
                self.out.push(Diagnostic::ours(
                    &codes::TOO_LONG,
                    end,
                    "The file has too many tokens. The rest of it \
                    is ignored.",
                ));
            }
            return;
        }
        self.out.push(Diagnostic::tool(code, at.in_source(self.source), detail));
    }
}

/// What begins at a token.
enum ValueStart {
    Node(Id<JsonNode>),
    Open(Frame),
}
