//! Determines what a traversal refers to: a resource, a variable, a module output …
//!
//! Titles and ranges are those of the tool's reference parser (determined through `depends_on`, `replace_triggered_by`
//! and conditions).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::body::traversal::{Part, error, parts};
use crate::language::codes;
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Span};
use overfold_base::echo;
use overfold_dialect::{Behaviour, DialectSpec};
use overfold_syntax::statics::{Traversal, TraversalKey, WrittenReference};
use unicode_normalization::UnicodeNormalization;

/// The keywords that begin an address of their own kind. They depend on the version (terraform.md, section 10.1): an
/// unknown keyword is an ordinary resource type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressWords {
    /// `ephemeral.TYPE.NAME`.
    pub ephemeral: bool,
    /// `action.TYPE.NAME`.
    pub action: bool,
    /// `list.TYPE.NAME`.
    pub list: bool,
    /// `caller`.
    pub caller: bool,
    /// In addresses of moved and import blocks: `resource.TYPE.NAME`.
    pub resource: bool,
    /// In addresses of moved and import blocks: keywords that cannot be resource types.
    pub reserved: bool,
    /// In addresses of removed blocks: what belongs to the address of an instance is refused as in any address.
    pub few: bool,
    /// The names of primitive types alone refer to nothing.
    pub types: bool,
    /// A second root name for the object `terraform`.
    pub also_terraform: Option<&'static str>,
}

impl AddressWords {
    /// Returns the keywords that a dialect's version knows.
    pub fn for_dialect(dialect: &DialectSpec) -> Self {
        Self {
            ephemeral: dialect.rules.references.ephemeral_objects,
            action: dialect.rules.references.actions,
            list: dialect.has(Behaviour::ListReferences),
            caller: dialect.has(Behaviour::CallerReferences),
            resource: dialect.has(Behaviour::AddressesMayBeginWithResource),
            reserved: dialect.has(Behaviour::AddressesRefuseKeywords),
            few: dialect.rules.references.few_reserved_words,
            types: dialect.rules.references.type_words,
            also_terraform: dialect.rules.references.tool_word,
        }
    }

    /// Returns the object that `root.NAME` is, whatever follows; `None` if objects with this root name have more parts.
    pub fn named<'t>(self, root: &str, name: Cow<'t, str>) -> Option<Subject<'t>> {
        Some(match root {
            "count" => Subject::Count(name),
            "each" => Subject::Each(name),
            "local" => Subject::Local(name),
            "module" => Subject::Module { name, key: None, output: None },
            "path" => Subject::Path(name),
            "var" => Subject::Variable(name),
            word if self.is_tool(word) => Subject::Terraform(name),
            _ => return None,
        })
    }

    /// Returns the root names that are objects of the language, whether something refers to them or not.
    pub fn objects(self) -> impl Iterator<Item = &'static str> {
        let ephemeral = self.ephemeral.then_some("ephemeral");
        let words = ["count", "data", "each", "local", "module", "path", "resource", "terraform", "var"];
        words.into_iter().chain(ephemeral).chain(self.also_terraform)
    }

    /// Whether the root name is that of the tool itself.
    pub fn is_tool(self, root: &str) -> bool {
        root == "terraform" || self.also_terraform == Some(root)
    }
}

/// The kinds of objects that have a type and a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResourceMode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
    /// `action`
    Action,
    /// `list`
    List,
}

impl ResourceMode {
    /// Returns the beginning of the address, with its dot; empty for managed resources.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Managed => "",
            Self::Data => "data.",
            Self::Ephemeral => "ephemeral.",
            Self::Action => "action.",
            Self::List => "list.",
        }
    }
}

/// An instance key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstanceKey {
    /// `[0]`
    Number(i64),
    /// `["text"]`
    Text(Arc<str>),
}

impl InstanceKey {
    /// Compares the texts that [`Display`](std::fmt::Display) writes, without writing them: `[10]` is before `[9]`. Charges
    /// what both begin with.
    pub fn order_of_displays(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(own), Self::Text(other)) if Arc::ptr_eq(own, other) => Ordering::Equal,
            (Self::Text(own), Self::Text(other)) => {
                let same = own.bytes().zip(other.bytes()).take_while(|(own, other)| own == other).count();
                account::touch(same);
                // How a `$` is written depends on what follows it.
                let begin = echo::beginning(own, same).trim_end_matches(['$', '%']).len();
                let [own, other] = [own, other].map(|text| text.split_at(begin).1);
                let end = ['"', ']'];
                displayed(own).chain(end).cmp(displayed(other).chain(end))
            }
            (own, other) => own.to_string().cmp(&other.to_string()),
        }
    }
}

impl std::fmt::Display for InstanceKey {
    /// Writes the key in brackets, with strings quoted as in native syntax.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "[{number}]"),
            Self::Text(text) => {
                account::copy(text.len());
                f.write_str("[\"")?;
                let mut rest: &str = text;
                // Keys are long at times, so what stands for itself is written in one go.
                while let Some(at) = rest.find(|c| matches!(c, '"' | '\\' | '$' | '%') || c.is_control()) {
                    let (plain, special) = rest.split_at(at);
                    f.write_str(plain)?;
                    let mut chars = special.chars();
                    let Some(c) = chars.next() else { break };
                    rest = chars.as_str();
                    match escaped(c, chars.next()) {
                        Some(escaped) => f.write_str(&escaped)?,
                        None => write!(f, "{c}")?,
                    }
                }
                f.write_str(rest)?;
                f.write_str("\"]")
            }
        }
    }
}

/// Returns what is written in place of a character of a quoted string that is followed by another; nothing if it stands
/// for itself.
fn escaped(c: char, next: Option<char>) -> Option<String> {
    match c {
        '"' => Some(String::from("\\\"")),
        '\\' => Some(String::from("\\\\")),
        '\n' => Some(String::from("\\n")),
        '\r' => Some(String::from("\\r")),
        '\t' => Some(String::from("\\t")),
        '$' | '%' if next == Some('{') => Some([c, c].iter().collect()),
        c if c.is_control() => Some(format!("\\u{:04x}", c as u32)),
        _ => None,
    }
}

/// Returns the characters of a text as they are written between quotes.
fn displayed(text: &str) -> impl Iterator<Item = char> {
    let mut chars = text.chars();
    let pieces = std::iter::from_fn(move || {
        let c = chars.next()?;
        Some((c, escaped(c, chars.clone().next())))
    });
    pieces.flat_map(|(c, escaped)| match escaped {
        Some(escaped) => escaped.chars().collect(),
        None => vec![c],
    })
}

impl InstanceKey {
    /// Returns the key in a step in brackets (or `.1`); `None` for a keyword, and for a number that is not whole or
    /// does not fit into 64 bits.
    pub fn from_traversal(key: &TraversalKey<'_>) -> Option<Self> {
        match key {
            TraversalKey::Attr(_)
            | TraversalKey::IndexBool(_)
            | TraversalKey::IndexNull
            | TraversalKey::IndexOther => None,
            TraversalKey::IndexText(text) => Some(Self::Text(text.nfc().collect::<String>().into())),
            TraversalKey::IndexNumber(digits) => whole_number(digits).map(Self::Number),
        }
    }
}

/// Returns the value of a number as written (`12`, `1e3`, `2.0`), if it is whole and fits into 64 bits.
fn whole_number(text: &str) -> Option<i64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut digits = format!("{whole}{fraction}");
    let mut shift = i64::from(exponent) - i64::try_from(fraction.len()).ok()?;
    if digits.trim_start_matches('0').is_empty() {
        return Some(0);
    }
    while shift < 0 && digits.ends_with('0') {
        digits.pop();
        shift += 1;
    }
    if !(0..=20).contains(&shift) {
        return None;
    }
    for _ in 0..shift {
        digits.push('0');
    }
    digits.parse().ok()
}

/// The object of a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject<'t> {
    /// A resource of any mode, or one instance of it.
    Resource {
        /// The mode.
        mode: ResourceMode,
        /// The type.
        type_name: Cow<'t, str>,
        /// The name.
        name: Cow<'t, str>,
        /// The instance key.
        key: Option<InstanceKey>,
    },
    /// A module call, one instance of it, or one of its outputs.
    Module {
        /// The name of the call.
        name: Cow<'t, str>,
        /// The instance key.
        key: Option<InstanceKey>,
        /// The name of the output.
        output: Option<Cow<'t, str>>,
    },
    /// `var.NAME`
    Variable(Cow<'t, str>),
    /// `local.NAME`
    Local(Cow<'t, str>),
    /// `path.NAME`
    Path(Cow<'t, str>),
    /// `terraform.NAME`
    Terraform(Cow<'t, str>),
    /// `count.NAME`
    Count(Cow<'t, str>),
    /// `each.NAME`
    Each(Cow<'t, str>),
    /// `self`
    This,
    /// `caller`
    Caller,
}

impl Subject<'_> {
    /// Returns the name behind the root name, if the object is `root.NAME`.
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Self::Module { name, .. }
            | Self::Variable(name)
            | Self::Local(name)
            | Self::Path(name)
            | Self::Terraform(name)
            | Self::Count(name)
            | Self::Each(name) => Some(name),
            Self::Resource { .. } | Self::This | Self::Caller => None,
        }
    }
}

/// A reference, and the part of the traversal that names its object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference<'t> {
    /// The object.
    pub subject: Subject<'t>,
    /// The location of the part that names the object.
    pub span: Span,
    /// The number of remaining steps of the traversal.
    pub remaining: usize,
}

impl Reference<'_> {
    /// Returns those of the steps of the whole traversal, given in order, that remain behind the object.
    pub fn rest<'s, S>(&self, steps: &'s [S]) -> &'s [S] {
        steps.split_at(steps.len().saturating_sub(self.remaining)).1
    }
}

/// Reads a reference as [`reference()`] does, if there is nothing to report, without a copy of its steps. Returns `None`
/// for what is malformed, and for a few others that are rare.
pub fn well_formed(written: WrittenReference<'_>, words: AddressWords) -> Option<Reference<'_>> {
    let first = written.attr(0)?;
    let (mode, at) = match written.root() {
        "self" | "resource" | "string" | "number" | "bool" | "any" | "template" | "lazy" | "arg" => return None,
        "data" => (ResourceMode::Data, 1),
        "ephemeral" if words.ephemeral => (ResourceMode::Ephemeral, 1),
        "action" if words.action => (ResourceMode::Action, 1),
        "list" if words.list => (ResourceMode::List, 1),
        "caller" if words.caller => return None,
        "module" => {
            let (key, at) = key_at(written, 1)?;
            let output = if at < written.len() { Some(Cow::Borrowed(written.attr(at)?)) } else { None };
            let named = at + usize::from(output.is_some());
            return Some(Reference {
                subject: Subject::Module { name: Cow::Borrowed(first), key, output },
                span: written.span_to(named - 1),
                remaining: written.len() - named,
            });
        }
        root => match words.named(root, Cow::Borrowed(first)) {
            Some(subject) => {
                return Some(Reference { subject, span: written.span_to(0), remaining: written.len() - 1 });
            }
            None => (ResourceMode::Managed, 0),
        },
    };
    let (type_name, name) = match at {
        0 => (written.root(), first),
        _ => (first, written.attr(1)?),
    };
    let (key, named) = key_at(written, at + 1)?;
    Some(Reference {
        subject: Subject::Resource { mode, type_name: Cow::Borrowed(type_name), name: Cow::Borrowed(name), key },
        span: written.span_to(named - 1),
        remaining: written.len() - named,
    })
}

/// Returns the instance key in step `at`, if that is one, and the position behind it; `None` if it cannot be a key.
fn key_at(written: WrittenReference<'_>, at: usize) -> Option<(Option<InstanceKey>, usize)> {
    match written.index(at) {
        Some(key) => Some((Some(InstanceKey::from_traversal(&key)?), at + 1)),
        None => Some((None, at)),
    }
}

/// Determines what a traversal refers to. Errors are reported in `out`, and the result is then `None`.
pub fn reference<'t>(traversal: &Traversal<'t>, words: AddressWords, out: &mut Diagnostics) -> Option<Reference<'t>> {
    let steps = parts(traversal);
    let steps = steps.as_slice();
    let (root, rest) = steps.split_first()?;
    match &**root.name? {
        "count" => single(steps, out, Subject::Count),
        "each" => single(steps, out, Subject::Each),
        "local" => single(steps, out, Subject::Local),
        "path" => single(steps, out, Subject::Path),
        word if words.is_tool(word) => single(steps, out, Subject::Terraform),
        "var" => single(steps, out, Subject::Variable),
        "self" => Some(Reference { subject: Subject::This, span: root.span, remaining: rest.len() }),
        "data" => prefixed(steps, ResourceMode::Data, out),
        "resource" => prefixed(steps, ResourceMode::Managed, out),
        "ephemeral" if words.ephemeral => prefixed(steps, ResourceMode::Ephemeral, out),
        "action" if words.action => prefixed(steps, ResourceMode::Action, out),
        "list" if words.list => prefixed(steps, ResourceMode::List, out),
        "caller" if words.caller => {
            Some(Reference { subject: Subject::Caller, span: root.span, remaining: rest.len() })
        }
        "module" => module(steps, out),
        "string" | "number" | "bool" | "any" if words.types && rest.is_empty() => None,
        "template" | "lazy" | "arg" => {
            error(
                out,
                &codes::RESERVED_SYMBOL,
                root.span,
                "This name is reserved for a future version of the language, so it cannot begin a reference.",
            );
            None
        }
        _ => resource(steps, root.span, ResourceMode::Managed, out),
    }
}

fn span_of(first: Span, last: Span) -> Span {
    first.range().to(last.range()).in_source(first.source)
}

/// Reads `root.NAME`.
fn single<'t>(
    steps: &[Part<'_, 't>],
    out: &mut Diagnostics,
    subject: fn(Cow<'t, str>) -> Subject<'t>,
) -> Option<Reference<'t>> {
    let (root, rest) = steps.split_first()?;
    let Some(second) = rest.first() else {
        error(
            out,
            &codes::INVALID_REFERENCE,
            root.span,
            "This object cannot be used as a whole. Refer to one of its attributes.",
        );
        return None;
    };
    let Some(name) = second.name else {
        error(
            out,
            &codes::INVALID_REFERENCE,
            second.span,
            "The attributes of this object cannot be selected with brackets. Use a dot.",
        );
        return None;
    };
    Some(Reference {
        subject: subject(name.clone()),
        span: span_of(root.span, second.span),
        remaining: rest.len().saturating_sub(1),
    })
}

/// Reads `word.TYPE.NAME`.
fn prefixed<'t>(steps: &[Part<'_, 't>], mode: ResourceMode, out: &mut Diagnostics) -> Option<Reference<'t>> {
    let (root, rest) = steps.split_first()?;
    if rest.len() < 2 {
        let last = rest.last().unwrap_or(root);
        error(
            out,
            &codes::INVALID_REFERENCE,
            span_of(root.span, last.span),
            "This keyword must be followed by a type and a name.",
        );
        return None;
    }
    resource(rest, root.span, mode, out)
}

/// Reads `TYPE.NAME` and an instance key. `start` is the beginning of the whole reference.
fn resource<'t>(
    steps: &[Part<'_, 't>],
    start: Span,
    mode: ResourceMode,
    out: &mut Diagnostics,
) -> Option<Reference<'t>> {
    let (first, rest) = steps.split_first()?;
    let Some(second) = rest.first() else {
        error(
            out,
            &codes::INVALID_REFERENCE,
            first.span,
            "The resource type must be followed by a dot and the name of the resource.",
        );
        return None;
    };
    // A reference that is too short and a part that is not a name are two errors, which the tool reports at different
    // locations.
    let Some(type_name) = first.name else {
        error(out, &codes::INVALID_REFERENCE, first.span, "This keyword must be followed by a dot and a type.");
        return None;
    };
    let Some(name) = second.name else {
        error(out, &codes::INVALID_REFERENCE, second.span, "The type must be followed by a dot and a name.");
        return None;
    };
    let mut span = span_of(start, second.span);
    let mut remaining = rest.len().saturating_sub(1);
    let mut key = None;
    if let Some(third) = rest.get(1)
        && third.key.is_some()
    {
        key = third.key.and_then(InstanceKey::from_traversal);
        if key.is_none() {
            error(
                out,
                &codes::INVALID_INDEX_KEY,
                third.span,
                "The key of an instance must be a whole number or a string.",
            );
            return None;
        }
        span = span_of(start, third.span);
        remaining = remaining.saturating_sub(1);
    }
    let subject = Subject::Resource { mode, type_name: type_name.clone(), name: name.clone(), key };
    Some(Reference { subject, span, remaining })
}

/// Reads `module.NAME`, an instance key, and an output.
fn module<'t>(steps: &[Part<'_, 't>], out: &mut Diagnostics) -> Option<Reference<'t>> {
    let start = steps.first()?.span;
    let found = single(steps, out, Subject::Local)?;
    let Subject::Local(name) = found.subject else { return None };
    let mut span = found.span;
    let [_, _, rest @ ..] = steps else { return None };
    let mut rest = rest;
    let mut key = None;
    if let Some((step, behind)) = rest.split_first()
        && step.key.is_some()
    {
        key = step.key.and_then(InstanceKey::from_traversal);
        if key.is_none() {
            error(
                out,
                &codes::INVALID_INDEX_KEY,
                step.span,
                "The key of an instance must be a whole number or a string.",
            );
            return None;
        }
        span = span_of(start, step.span);
        rest = behind;
    }
    let mut output = None;
    if let Some((step, behind)) = rest.split_first() {
        let Some(name) = step.name else {
            error(
                out,
                &codes::INVALID_REFERENCE,
                step.span,
                "A module cannot be used as a whole here. Refer to one of its outputs.",
            );
            return None;
        };
        output = Some(name.clone());
        span = span_of(start, step.span);
        rest = behind;
    }
    Some(Reference { subject: Subject::Module { name, key, output }, span, remaining: rest.len() })
}
