//! Finds the places of arguments and blocks in the part `config`, while it is written or without it.

use foldhash::HashMap;

use super::super::json::{Container, JsonWriter};
use super::expr::Form;
use super::sink::{ArgumentOrigin, ArgumentValue, ConfigSink, JsonSink};
use overfold_base::account::{self, ChargedText};
use overfold_base::diag::{SourceId, Span};
use overfold_model::config::{Block, Part};
use overfold_syntax::Forest;
use overfold_value::Value;

/// The positions of the parts of the merged module in the answer's `config`: the JSON Pointer (RFC 6901) of each, by the
/// position where it ends in its file.
#[derive(Default)]
pub(crate) struct Pointers {
    arguments: HashMap<(SourceId, u32), String>,
    blocks: HashMap<Span, String>,
}

impl Pointers {
    /// Returns the pointer to a part that is at this position in its file. `None` if it is not in `config`.
    pub(crate) fn of(&self, part: Part<'_>, at: Span) -> Option<&str> {
        let argument = || self.arguments.get(&(at.source, at.end));
        let pointer = match part {
            Part::Argument(_) => argument(),
            Part::Block(_) => self.blocks.get(&at),
            // An object that is an argument in the file (a local value) is one in `config` too.
            Part::Object => self.blocks.get(&at).or_else(argument),
        };
        pointer.map(String::as_str)
    }
}

/// Records where each part of `config` is, and writes it to `json` if there is one.
pub(super) struct Locator<'j> {
    json: Option<&'j mut JsonWriter>,
    pointers: Pointers,
    /// The way to what comes next.
    path: Vec<PointerStep>,
}

/// One step of a JSON Pointer.
enum PointerStep {
    /// In an object: the name of the member that comes next.
    Member(String),
    /// In an array: the number of items begun so far.
    Items(usize),
}

impl<'j> Locator<'j> {
    pub(super) fn new(json: Option<&'j mut JsonWriter>) -> Self {
        Self { json, pointers: Pointers::default(), path: Vec::new() }
    }

    pub(super) fn finish(self) -> Pointers {
        self.pointers
    }

    /// Returns the pointer to the value that comes next.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                PointerStep::Member(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                PointerStep::Items(begun) => pointer.push_str(&begun.to_string()),
            }
        }
        account::text(pointer.len());
        pointer
    }

    /// Writes something if anything is written.
    fn write(&mut self, write: impl FnOnce(&mut JsonWriter)) {
        match &mut self.json {
            Some(json) => write(json),
            None => account::work(1),
        }
    }

    /// Counts a value that has ended.
    fn ended(&mut self) {
        if let Some(PointerStep::Items(begun)) = self.path.last_mut() {
            *begun += 1;
        }
    }
}

impl JsonSink for Locator<'_> {
    fn begin(&mut self, container: Container) {
        self.write(|json| json.begin(container));
        self.path.push(match container {
            Container::Object => PointerStep::Member(String::new()),
            Container::Array => PointerStep::Items(0),
        });
    }

    fn end(&mut self, container: Container) {
        self.write(|json| json.end(container));
        self.path.pop();
        self.ended();
    }

    fn key(&mut self, name: &str) {
        self.write(|json| json.key(name));
        if let Some(PointerStep::Member(member)) = self.path.last_mut() {
            name.touched().clone_into(member);
        }
    }

    fn str(&mut self, text: &str) {
        self.write(|json| json.str(text));
        self.ended();
    }

    fn scalar(&mut self, text: &str) {
        self.write(|json| json.raw(text));
        self.ended();
    }

    fn known(&mut self, _value: &Value, _form: Form, text: &str) {
        self.scalar(text);
    }
}

impl<'a> ConfigSink<'a> for Locator<'_> {
    fn block(&mut self, block: &Block<'_>) {
        let pointer = self.pointer();
        self.pointers.blocks.insert(block.range, pointer);
    }

    fn place(&mut self, place: Span) {
        let pointer = self.pointer();
        self.pointers.arguments.insert((place.source, place.end), pointer);
    }

    fn argument(&mut self, forest: &'a Forest, _origin: impl FnOnce() -> ArgumentOrigin, value: ArgumentValue<'a>) {
        self.write(|json| value.write(forest, json));
        self.ended();
    }
}
