//! References in expressions, as the document lists them (plan.md, section 16).

use std::borrow::Cow;
use std::sync::Arc;

use super::expression::ExpressionReader;

use overfold_base::account;
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
        let mut text = self.object();
        for step in &self.steps {
            push_step(step, &mut text);
        }
        account::touch(text.len());
        account::grow(text.len() as u64);
        text
    }

    /// Returns the address of the object as it is written.
    fn object(&self) -> String {
        match (&self.subject, &self.tool) {
            (Subject::Terraform(name), Some(tool)) => format!("{tool}.{name}"),
            (object, _) => subject(object),
        }
    }

    /// Adds the whole reference, each shorter form down to the object, and what the object is an instance or an output of.
    fn forms(&self, into: &mut Vec<Box<str>>) {
        let whole = self.text();
        let mut ends = vec![self.object().len()];
        let mut text = String::new();
        for step in &self.steps {
            push_step(step, &mut text);
            ends.push(ends.first().copied().unwrap_or(0) + text.len());
        }
        for end in ends.into_iter().rev() {
            push_text(whole.get(..end).unwrap_or_default(), into);
        }
        match &self.subject {
            Subject::Resource { mode, type_name, name, key: Some(_) } => {
                let (mode, type_name, name) = (*mode, type_name.clone(), name.clone());
                push_text(&subject(&Subject::Resource { mode, type_name, name, key: None }), into);
            }
            Subject::Module { name, key, output: Some(_) } => {
                let (name, key) = (name.clone(), key.clone());
                push_text(&subject(&Subject::Module { name, key, output: None }), into);
            }
            Subject::Module { name, key: Some(_), output: None } => {
                push_text(&subject(&Subject::Module { name: name.clone(), key: None, output: None }), into);
            }
            _ => {}
        }
    }
}

fn push_text(text: &str, into: &mut Vec<Box<str>>) {
    account::work(1);
    account::touch(text.len());
    account::grow(text.len() as u64);
    account::push(into, text.into());
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
    let mut forms = Vec::new();
    for found in named(reading.forest, expr, reading.words) {
        found.forms(&mut forms);
    }
    if reading.names_functions {
        for call in statics::calls(reading.forest, expr) {
            account::work(1);
            if call.name.starts_with("provider::") {
                push_text(call.name, &mut forms);
            }
        }
    }
    forms.into()
}

/// Returns the address of an object as the tool writes it.
pub(in crate::planning) fn subject(subject: &Subject<'_>) -> String {
    match subject {
        Subject::Resource { mode, type_name, name, key } => {
            let key = key.as_ref().map_or_else(String::new, ToString::to_string);
            format!("{}{type_name}.{name}{key}", mode.prefix())
        }
        Subject::Module { name, key, output } => {
            let key = key.as_ref().map_or_else(String::new, ToString::to_string);
            match output {
                Some(output) => format!("module.{name}{key}.{output}"),
                None => format!("module.{name}{key}"),
            }
        }
        Subject::Variable(name) => format!("var.{name}"),
        Subject::Local(name) => format!("local.{name}"),
        Subject::Path(name) => format!("path.{name}"),
        Subject::Terraform(name) => format!("terraform.{name}"),
        Subject::Count(name) => format!("count.{name}"),
        Subject::Each(name) => format!("each.{name}"),
        Subject::This => "self".to_owned(),
        Subject::Caller => "caller".to_owned(),
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
