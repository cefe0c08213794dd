//! References in expressions, as the document lists them (plan.md, section 16).

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

use super::expression::ExpressionReader;

use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::Diagnostics;
use overfold_model::language::references::{AddressWords, Subject, reference};
use overfold_syntax::statics::{self, Traversal, TraversalKey, TraversalStep};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Number, Verb, normalized, quote_as_go};

/// A well-formed reference in an expression.
#[derive(Clone, Debug)]
pub(in crate::planning) struct ParsedReference<'f> {
    /// The object that it names.
    pub(in crate::planning) subject: Subject<'f>,
    /// The steps behind those that name the object.
    pub(in crate::planning) steps: Vec<TraversalStep<'f>>,
    /// The word for the tool itself with which it begins, if it begins with one.
    tool: Option<Cow<'f, str>>,
}

impl<'f> ParsedReference<'f> {
    /// Reads a reference; `None` if it is malformed.
    pub(in crate::planning) fn parse(mut traversal: Traversal<'f>, words: AddressWords) -> Option<Self> {
        let read = reference(&traversal, words, &mut Diagnostics::new())?;
        let (subject, remaining) = (read.subject, read.remaining);
        let steps = traversal.steps.split_off(traversal.steps.len().saturating_sub(remaining));
        let tool = matches!(subject, Subject::Terraform(_)).then_some(traversal.root);
        Some(Self { subject, steps, tool })
    }

    /// Returns the whole reference as text.
    pub(in crate::planning) fn text(&self) -> String {
        let mut text = String::new();
        self.push_object(&mut text);
        for step in &self.steps {
            push_step(step, &mut text);
        }
        account::text(text.len());
        text
    }

    /// Writes the address of the object as it is written.
    fn push_object(&self, into: &mut String) {
        match (&self.subject, &self.tool) {
            (Subject::Terraform(name), Some(tool)) => push_all(&[tool, ".", name], into),
            (object, _) => push_subject(object, into),
        }
    }

    /// Adds the whole reference, each shorter form down to the object, and what the object is an instance or an output of.
    fn forms(&self, into: &mut List<Box<str>>) {
        let mut text = String::new();
        self.push_object(&mut text);
        let mut ends = Vec::with_capacity(1 + self.steps.len());
        ends.push(text.len());
        for step in &self.steps {
            push_step(step, &mut text);
            ends.push(text.len());
        }
        account::touch(text.len());
        for end in ends.into_iter().rev() {
            push_text(text.get(..end).unwrap_or_default(), into);
        }
        text.clear();
        match &self.subject {
            Subject::Resource { mode, type_name, name, key: Some(_) } => {
                push_all(&[mode.prefix(), type_name, ".", name], &mut text);
            }
            Subject::Module { name, key, output } if key.is_some() || output.is_some() => {
                push_module(name, key.as_ref().filter(|_| output.is_some()), &mut text);
            }
            _ => return,
        }
        push_text(&text, into);
    }
}

fn push_text(text: &str, into: &mut List<Box<str>>) {
    account::work(1);
    account::text(text.len());
    into.push(text.into());
}

/// Returns the references in an expression, in the tool's order.
pub(in crate::planning) fn named(forest: &Forest, expr: ExprAt, words: AddressWords) -> Vec<ParsedReference<'_>> {
    statics::references(forest, expr)
        .into_iter()
        .filter_map(|traversal| ParsedReference::parse(traversal, words))
        .collect()
}

/// Returns what an expression refers to, each reference with its shortened forms.
pub(super) fn shown(reading: &ExpressionReader<'_>, expr: ExprAt) -> Arc<[Box<str>]> {
    let mut forms = List::new();
    for found in named(reading.forest, expr, reading.words) {
        found.forms(&mut forms);
    }
    if reading.names_functions {
        for call in statics::calls(reading.forest, expr).charged(1) {
            if call.name.starts_with("provider::") {
                push_text(call.name, &mut forms);
            }
        }
    }
    forms.into()
}

/// Returns the address of an object as the tool writes it.
pub(in crate::planning) fn subject(subject: &Subject<'_>) -> String {
    let mut text = String::new();
    push_subject(subject, &mut text);
    text
}

fn push_subject(subject: &Subject<'_>, into: &mut String) {
    match subject {
        Subject::Resource { mode, type_name, name, key } => {
            push_all(&[mode.prefix(), type_name, ".", name], into);
            push_key(key.as_ref(), into);
        }
        Subject::Module { name, key, output } => {
            push_module(name, key.as_ref(), into);
            if let Some(output) = output {
                push_all(&[".", output], into);
            }
        }
        Subject::Variable(name) => push_all(&["var.", name], into),
        Subject::Local(name) => push_all(&["local.", name], into),
        Subject::Path(name) => push_all(&["path.", name], into),
        Subject::Terraform(name) => push_all(&["terraform.", name], into),
        Subject::Count(name) => push_all(&["count.", name], into),
        Subject::Each(name) => push_all(&["each.", name], into),
        Subject::This => into.push_str("self"),
        Subject::Caller => into.push_str("caller"),
    }
}

fn push_module(name: &str, key: Option<&impl Display>, into: &mut String) {
    push_all(&["module.", name], into);
    push_key(key, into);
}

fn push_key(key: Option<&impl Display>, into: &mut String) {
    if let Some(key) = key {
        // Writing to a string never fails.
        let _ = write!(into, "{key}");
    }
}

fn push_all(pieces: &[&str], into: &mut String) {
    into.reserve(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        into.push_str(piece);
    }
}

/// Writes a step: `.name`, `["key"]`, `[1]`. A key that can select nothing leaves the brackets empty.
fn push_step(step: &TraversalStep<'_>, into: &mut String) {
    account::work(1);
    match &step.key {
        TraversalKey::Attr(name) => {
            into.push('.');
            into.push_str(name);
        }
        TraversalKey::IndexText(text) => {
            into.push('[');
            quote_as_go(&normalized(text), into);
            into.push(']');
        }
        TraversalKey::IndexNumber(digits) => {
            let number = Number::parse(digits).ok();
            // Ten digits are never too long.
            let text = number.and_then(|number| number.format(Verb::General, Some(10)).ok());
            into.push('[');
            into.push_str(&text.unwrap_or_default());
            into.push(']');
        }
        TraversalKey::IndexBool(_) | TraversalKey::IndexNull | TraversalKey::IndexOther => into.push_str("[]"),
    }
}
