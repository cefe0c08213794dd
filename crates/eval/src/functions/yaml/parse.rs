//! Turns the tokens of a YAML text into the values that begin and end in it. Nesting is a stack of states, so that its
//! depth needs no call stack.

use std::collections::HashMap;

use super::scan::Scanner;
use super::token::{Fault, Scanned, Style, Token};
use overfold_base::account::{self, List};

/// What begins or ends next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event<'t> {
    /// A document.
    Document,
    /// The document ends.
    DocumentEnd,
    /// The text ends.
    End,
    /// A scalar.
    Scalar(String, Style, Properties<'t>),
    /// The value of an anchor.
    Alias(&'t str),
    /// A sequence.
    Sequence(Properties<'t>),
    /// The innermost sequence ends.
    SequenceEnd,
    /// A mapping.
    Mapping(Properties<'t>),
    /// The innermost mapping ends.
    MappingEnd,
}

/// What stands before a value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Properties<'t> {
    /// The name of the anchor.
    pub(super) anchor: Option<&'t str>,
    /// The whole tag.
    pub(super) tag: Option<String>,
}

/// What is expected next.
#[derive(Clone, Copy)]
enum State {
    FirstDocument,
    Content,
    DocumentEnd,
    NextDocument,
    End,
    Node,
    BlockEntry,
    /// An entry of a sequence that is not indented more than the key it belongs to.
    UnindentedEntry,
    BlockKey,
    BlockValue,
    FirstFlowEntry,
    FlowEntry,
    /// The key of a mapping of one pair in a sequence: `[key: value]`.
    PairKey,
    PairValue,
    PairEnd,
    FirstFlowKey,
    FlowKey,
    FlowValue,
    /// A value in a mapping that has no key.
    NoFlowValue,
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum ValueContext {
    Block,
    /// In a block, where entries of a sequence need no indentation: a key or its value.
    KeyOrValue,
    Flow,
}

pub(super) struct Parser<'t> {
    scanner: Scanner<'t>,
    state: State,
    /// What follows the open collections, the innermost last.
    after: List<State>,
    /// What the handles of tags stand for in this document.
    handles: HashMap<&'t str, String>,
}

impl<'t> Parser<'t> {
    /// Starts parsing a text without NUL, which may begin with a byte order mark.
    pub(super) fn new(text: &'t str) -> Self {
        let (scanner, after, handles) = (Scanner::new(text), List::new(), HashMap::new());
        Self { scanner, state: State::FirstDocument, after, handles }
    }

    /// Returns what begins or ends next.
    pub(super) fn event(&mut self) -> Scanned<Event<'t>> {
        account::work(8);
        match self.state {
            State::FirstDocument => self.document(true),
            State::NextDocument => self.document(false),
            State::Content => match self.scanner.peek()? {
                Token::Version(..)
                | Token::TagHandle(..)
                | Token::DocumentStart
                | Token::DocumentEnd
                | Token::End => Ok(self.leave_empty()),
                _ => self.node(ValueContext::Block),
            },
            State::DocumentEnd => self.document_end(),
            State::End => Ok(Event::End),
            State::Node => self.node(ValueContext::Block),
            State::BlockEntry => self.block_entry(),
            State::UnindentedEntry => self.unindented_entry(),
            State::BlockKey => self.block_key(),
            State::BlockValue => self.block_value(),
            State::FirstFlowEntry => self.flow_entry(true),
            State::FlowEntry => self.flow_entry(false),
            State::PairKey => self.pair_key(),
            State::PairValue => self.flow_value(&Token::FlowSequenceEnd, State::PairEnd),
            State::PairEnd => {
                self.state = State::FlowEntry;
                Ok(Event::MappingEnd)
            }
            State::FirstFlowKey => self.flow_key(true),
            State::FlowKey => self.flow_key(false),
            State::FlowValue => self.flow_value(&Token::FlowMappingEnd, State::FlowKey),
            State::NoFlowValue => Ok(self.empty(State::FlowKey)),
        }
    }

    fn fault<T>(&self, what: &'static str) -> Scanned<T> {
        Err(Fault::at(self.scanner.mark(), what))
    }

    fn document(&mut self, is_first: bool) -> Scanned<Event<'t>> {
        while !is_first && *self.scanner.peek()? == Token::DocumentEnd {
            self.scanner.take();
        }
        let next = self.scanner.peek()?;
        if *next == Token::End {
            self.state = State::End;
            return Ok(Event::End);
        }
        let is_marked = matches!(next, Token::Version(..) | Token::TagHandle(..) | Token::DocumentStart);
        if is_first && !is_marked {
            self.state = State::Node;
        } else {
            self.directives()?;
            if *self.scanner.peek()? != Token::DocumentStart {
                return self.fault("a document does not begin with '---'");
            }
            self.scanner.take();
            self.state = State::Content;
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            self.handles.entry(handle).or_insert_with(|| prefix.to_owned());
        }
        self.after.push(State::DocumentEnd);
        Ok(Event::Document)
    }

    fn directives(&mut self) -> Scanned<()> {
        let mut has_version = false;
        loop {
            match self.scanner.peek()? {
                Token::Version(1, 1) if !has_version => has_version = true,
                Token::Version(1, 1) => return self.fault("the version of YAML is given twice"),
                Token::Version(..) => return self.fault("only YAML version 1.1 is supported"),
                Token::TagHandle(handle, _) if self.handles.contains_key(handle) => {
                    return self.fault("the handle of a tag is declared twice");
                }
                Token::TagHandle(..) => {}
                _ => return Ok(()),
            }
            if let Token::TagHandle(handle, prefix) = self.scanner.take() {
                self.handles.insert(handle, prefix);
            }
        }
    }

    fn document_end(&mut self) -> Scanned<Event<'t>> {
        if *self.scanner.peek()? == Token::DocumentEnd {
            self.scanner.take();
        }
        self.handles.clear();
        self.state = State::NextDocument;
        Ok(Event::DocumentEnd)
    }

    /// Continues with what follows the collection, or the document, that this value belongs to.
    fn leave(&mut self) {
        self.state = self.after.pop().unwrap_or(State::End);
    }

    fn leave_empty(&mut self) -> Event<'t> {
        self.leave();
        nothing(Properties::default())
    }

    /// Returns a value that is not there.
    fn empty(&mut self, state: State) -> Event<'t> {
        self.state = state;
        nothing(Properties::default())
    }

    /// Parses a value, and continues with `state` behind it.
    fn node_before(&mut self, state: State, place: ValueContext) -> Scanned<Event<'t>> {
        self.after.push(state);
        self.node(place)
    }

    fn node(&mut self, place: ValueContext) -> Scanned<Event<'t>> {
        if let Token::Alias(name) = *self.scanner.peek()? {
            self.scanner.take();
            self.leave();
            return Ok(Event::Alias(name));
        }
        let properties = self.properties()?;
        let in_block = !matches!(place, ValueContext::Flow);
        match self.scanner.peek()? {
            // Its first entry is left for the next event.
            Token::Entry if matches!(place, ValueContext::KeyOrValue) => {
                self.state = State::UnindentedEntry;
                return Ok(Event::Sequence(properties));
            }
            Token::Scalar(..) => self.leave(),
            Token::FlowSequence => self.state = State::FirstFlowEntry,
            Token::FlowMapping => self.state = State::FirstFlowKey,
            Token::BlockSequence if in_block => self.state = State::BlockEntry,
            Token::BlockMapping if in_block => self.state = State::BlockKey,
            _ if properties != Properties::default() => {
                self.leave();
                return Ok(nothing(properties));
            }
            _ => return self.fault("a value is missing"),
        }
        Ok(match self.scanner.take() {
            Token::Scalar(text, style) => Event::Scalar(text, style, properties),
            Token::FlowSequence | Token::BlockSequence => Event::Sequence(properties),
            _ => Event::Mapping(properties),
        })
    }

    /// Parses an anchor and a tag, at most one of each, in any order.
    fn properties(&mut self) -> Scanned<Properties<'t>> {
        let mut found = Properties::default();
        loop {
            let mark = self.scanner.mark();
            match self.scanner.peek()? {
                Token::Anchor(_) if found.anchor.is_none() => {}
                Token::Tag(..) if found.tag.is_none() => {}
                _ => return Ok(found),
            }
            match self.scanner.take() {
                Token::Anchor(name) => found.anchor = Some(name),
                Token::Tag("", text) => found.tag = Some(text),
                Token::Tag(handle, text) => {
                    let prefix = self.handles.get(handle);
                    let prefix = prefix.ok_or_else(|| Fault::at(mark, "the handle of a tag is not declared"))?;
                    account::text(prefix.len());
                    found.tag = Some(format!("{prefix}{text}"));
                }
                _ => {}
            }
        }
    }

    fn block_entry(&mut self) -> Scanned<Event<'t>> {
        match self.scanner.peek()? {
            Token::Entry => {
                self.scanner.take();
                match self.scanner.peek()? {
                    Token::Entry | Token::BlockEnd => Ok(self.empty(State::BlockEntry)),
                    _ => self.node_before(State::BlockEntry, ValueContext::Block),
                }
            }
            Token::BlockEnd => {
                self.scanner.take();
                self.leave();
                Ok(Event::SequenceEnd)
            }
            _ => self.fault("an entry of a sequence does not begin with '-'"),
        }
    }

    fn unindented_entry(&mut self) -> Scanned<Event<'t>> {
        if *self.scanner.peek()? != Token::Entry {
            self.leave();
            return Ok(Event::SequenceEnd);
        }
        self.scanner.take();
        match self.scanner.peek()? {
            Token::Entry | Token::Key | Token::Value | Token::BlockEnd => Ok(self.empty(State::UnindentedEntry)),
            _ => self.node_before(State::UnindentedEntry, ValueContext::Block),
        }
    }

    fn block_key(&mut self) -> Scanned<Event<'t>> {
        match self.scanner.peek()? {
            Token::Key => {
                self.scanner.take();
                self.key_or_value(State::BlockValue)
            }
            Token::BlockEnd => {
                self.scanner.take();
                self.leave();
                Ok(Event::MappingEnd)
            }
            _ => self.fault("a key is missing"),
        }
    }

    fn block_value(&mut self) -> Scanned<Event<'t>> {
        if *self.scanner.peek()? != Token::Value {
            return Ok(self.empty(State::BlockKey));
        }
        self.scanner.take();
        self.key_or_value(State::BlockKey)
    }

    /// Parses a key, or a value, of a mapping in a block.
    fn key_or_value(&mut self, state: State) -> Scanned<Event<'t>> {
        match self.scanner.peek()? {
            Token::Key | Token::Value | Token::BlockEnd => Ok(self.empty(state)),
            _ => self.node_before(state, ValueContext::KeyOrValue),
        }
    }

    fn flow_entry(&mut self, is_first: bool) -> Scanned<Event<'t>> {
        if !is_first && *self.scanner.peek()? != Token::FlowSequenceEnd {
            if *self.scanner.peek()? != Token::Comma {
                return self.fault("',' or ']' is missing");
            }
            self.scanner.take();
        }
        match self.scanner.peek()? {
            Token::Key => {
                self.scanner.take();
                self.state = State::PairKey;
                Ok(Event::Mapping(Properties::default()))
            }
            Token::FlowSequenceEnd => {
                self.scanner.take();
                self.leave();
                Ok(Event::SequenceEnd)
            }
            _ => self.node_before(State::FlowEntry, ValueContext::Flow),
        }
    }

    fn pair_key(&mut self) -> Scanned<Event<'t>> {
        match self.scanner.peek()? {
            Token::Value | Token::Comma | Token::FlowSequenceEnd => {
                // The tool drops this token; no document gets beyond a key that is null.
                self.scanner.take();
                Ok(self.empty(State::PairValue))
            }
            _ => self.node_before(State::PairValue, ValueContext::Flow),
        }
    }

    fn flow_key(&mut self, is_first: bool) -> Scanned<Event<'t>> {
        if !is_first && *self.scanner.peek()? != Token::FlowMappingEnd {
            if *self.scanner.peek()? != Token::Comma {
                return self.fault("',' or '}' is missing");
            }
            self.scanner.take();
        }
        match self.scanner.peek()? {
            Token::Key => {
                self.scanner.take();
                match self.scanner.peek()? {
                    Token::Value | Token::Comma | Token::FlowMappingEnd => Ok(self.empty(State::FlowValue)),
                    _ => self.node_before(State::FlowValue, ValueContext::Flow),
                }
            }
            Token::FlowMappingEnd => {
                self.scanner.take();
                self.leave();
                Ok(Event::MappingEnd)
            }
            _ => self.node_before(State::NoFlowValue, ValueContext::Flow),
        }
    }

    /// Parses the value of a key in brackets that `end` closes.
    fn flow_value(&mut self, end: &Token<'t>, state: State) -> Scanned<Event<'t>> {
        if *self.scanner.peek()? == Token::Value {
            self.scanner.take();
            let next = self.scanner.peek()?;
            if *next != Token::Comma && next != end {
                return self.node_before(state, ValueContext::Flow);
            }
        }
        Ok(self.empty(state))
    }
}

/// Returns a value of which nothing is written but its properties.
fn nothing(properties: Properties<'_>) -> Event<'_> {
    Event::Scalar(String::new(), Style::Plain, properties)
}
