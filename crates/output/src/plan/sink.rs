//! Writes parts of the plan document, knows where in it the writer is, and hides what may not be shown.

use std::fmt::Write as _;

use super::super::json::{Container, JsonWriter};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::Secrecy;
use overfold_dialect::{Behaviour, PlanDocument};
use overfold_module::pipeline::Report;
use overfold_value::{Kind, Marks, Number, Value, with_stack};

/// A JSON writer that hides secret values: each is written as null, and its place is recorded.
pub(super) struct Sink {
    pub(super) json: JsonWriter,
    /// The place of what is being written, as a JSON Pointer from the beginning of the document.
    place: String,
    /// The highest secrecy of values that may be shown.
    shown: Secrecy,
    /// The places of the values that were hidden; `None` if nobody wants to know.
    redacted: Option<List<Box<str>>>,
    /// What documents of the version contain.
    form: PlanDocument,
    /// How numbers are written.
    numbers: Numbers,
}

/// How numbers are written (plan.md, section 14).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// As a plan stores them: whole numbers of 64 bits as such, so that none of their digits depends on a precision.
    Stored,
    /// As texts of the language have them.
    Own,
}

impl Sink {
    /// Continues a text; `reveal` permits sensitive values to be shown.
    pub(super) const fn new(json: JsonWriter, reveal: bool, form: PlanDocument) -> Self {
        let shown = if reveal { Secrecy::Sensitive } else { Secrecy::Open };
        Self { json, place: String::new(), shown, redacted: Some(List::new()), form, numbers: Numbers::Stored }
    }

    /// Continues a text with what `write` writes about a report.
    pub(super) fn within(json: &mut JsonWriter, report: &Report<'_>, write: impl FnOnce(&mut Self)) {
        let form = PlanDocument::for_dialect(report.dialect);
        let mut sink = Self::new(std::mem::take(json), report.reveal_sensitive, form);
        write(&mut sink);
        *json = sink.into_json();
    }

    /// Returns what documents of the version contain.
    pub(super) const fn form(&self) -> PlanDocument {
        self.form
    }

    /// Whether documents of the version have a part.
    pub(super) fn has(&self, part: Behaviour) -> bool {
        self.form.has(part)
    }

    /// Returns the text.
    pub(super) fn into_json(self) -> JsonWriter {
        self.json
    }

    /// Returns the places of the values that were hidden so far; from now on, none is recorded.
    pub(super) fn take_redacted(&mut self) -> List<Box<str>> {
        self.redacted.take().unwrap_or_default()
    }

    /// Writes an object; `inside` writes its members.
    pub(super) fn object(&mut self, inside: impl FnOnce(&mut Self)) {
        self.json.begin(Container::Object);
        inside(self);
        self.json.end(Container::Object);
    }

    /// Writes an array; `inside` writes its items, each with [`Self::item`].
    pub(super) fn array(&mut self, inside: impl FnOnce(&mut Self)) {
        self.json.begin(Container::Array);
        inside(self);
        self.json.end(Container::Array);
    }

    /// Writes a member as [`Self::field`] does, in which numbers are not those that a plan stores: what is read from the
    /// configuration or a state.
    pub(super) fn unstored_field(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.numbers, Numbers::Own);
        self.field(name, inside);
        self.numbers = before;
    }

    /// Writes a member whose value `inside` writes, which may contain hidden values.
    pub(super) fn field(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.json.key(name);
        let length = self.place.len();
        self.step(name);
        inside(self);
        self.place.truncate(length);
    }

    /// Writes the item with this position of an array; it may contain hidden values.
    pub(super) fn item(&mut self, index: usize, inside: impl FnOnce(&mut Self)) {
        let length = self.place.len();
        // Writing to a string never fails.
        let _ = write!(self.place, "/{index}");
        inside(self);
        self.place.truncate(length);
    }

    /// Writes each of these as an item of an array.
    pub(super) fn items<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.array(|sink| {
            for (index, item) in items.into_iter().enumerate() {
                sink.item(index, |sink| each(sink, item));
            }
        });
    }

    /// Appends a step to the place.
    fn step(&mut self, name: &str) {
        account::touch(name.len());
        account::grow(name.len() as u64 + 1);
        push_step(&mut self.place, name);
    }

    /// Whether a value with these marks is hidden.
    pub(super) fn hides(&self, marks: Marks) -> bool {
        marks.secrecy() > self.shown
    }

    /// Writes null in place of a hidden value, and records the place.
    pub(super) fn hidden(&mut self) {
        if let Some(redacted) = &mut self.redacted {
            account::text(self.place.len());
            redacted.push(self.place.as_str().into());
        }
        self.json.null();
    }

    /// Writes a value (plan.md, section 14): unknown entries of objects and maps are left out, unknown elements are null.
    /// Nothing of a hidden value is written.
    pub(super) fn value(&mut self, value: &Value) {
        if !self.hides(value.deep_marks()) {
            write_value(&mut self.json, value, self.numbers);
            return;
        }
        if !value.is_known() {
            self.json.null();
        } else if self.hides(value.marks()) {
            self.hidden();
        } else if let Some(items) = value.as_items() {
            account::work(items.len() as u64);
            self.items(items, |sink, item| with_stack(|| sink.value(item)));
        } else if let Some(entries) = value.as_entries() {
            self.object(|sink| {
                for (key, entry) in entries.iter().charged_at_once(1).filter(|(_, entry)| entry.is_known()) {
                    sink.field(key, |sink| with_stack(|| sink.value(entry)));
                }
            });
        } else {
            self.json.null();
        }
    }

    /// Writes the literal default of a variable. That of an ephemeral variable counts as sensitive (plan.md, section
    /// 10): it is part of the configuration, and not given by the caller.
    pub(super) fn default_value(&mut self, value: &Value) {
        let shown = self.shown;
        if shown == Secrecy::Sensitive {
            self.shown = Secrecy::Ephemeral;
        }
        self.value(value);
        self.shown = shown;
    }
}

/// Writes a planned value. Unknown entries are left out, unknown elements are null, and so is whatever is more secret than
/// what may be shown.
pub(crate) fn value_text(json: &mut JsonWriter, report: &Report<'_>, value: &Value, shown: Secrecy) {
    let form = PlanDocument::for_dialect(report.dialect);
    let mut sink = Sink::new(std::mem::take(json), shown != Secrecy::Open, form);
    // Nobody lists what is hidden.
    sink.take_redacted();
    sink.value(value);
    *json = sink.into_json();
}

/// Appends a step to a JSON Pointer (RFC 6901).
pub(crate) fn push_step(pointer: &mut String, name: &str) {
    pointer.push('/');
    let mut rest = name;
    while let Some((plain, special)) = rest.find(['~', '/']).and_then(|at| rest.split_at_checked(at)) {
        pointer.push_str(plain);
        pointer.push_str(if special.starts_with('~') { "~0" } else { "~1" });
        (_, rest) = special.split_at(1);
    }
    pointer.push_str(rest);
}

/// Writes a value whatever its marks are.
fn write_value(json: &mut JsonWriter, value: &Value, numbers: Numbers) {
    match value.kind() {
        Kind::Null(_) | Kind::Unknown { .. } => json.null(),
        Kind::Bool(value) => json.bool(*value),
        Kind::Number(number) => write_number(json, number, numbers),
        Kind::Text(text) => json.str(text),
        Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
            json.array(|json| {
                for item in sequence.items() {
                    with_stack(|| write_value(json, item, numbers));
                }
            });
        }
        Kind::Map(mapping) | Kind::Object(mapping) => {
            json.object(|json| {
                for (key, entry) in mapping.entries().iter().charged_at_once(1).filter(|(_, entry)| entry.is_known())
                {
                    json.key(key);
                    with_stack(|| write_value(json, entry, numbers));
                }
            });
        }
    }
}

/// Writes a number with all its digits and without an exponent; an infinity, which JSON cannot represent, is null.
fn write_number(json: &mut JsonWriter, number: &Number, numbers: Numbers) {
    if let Some(whole) = number.to_i64().filter(|_| numbers == Numbers::Stored) {
        return json.raw(&whole.to_string());
    }
    if number.is_infinite() {
        return json.null();
    }
    match number.to_text() {
        Ok(text) => json.raw(&text),
        Err(_) => json.null(),
    }
}
