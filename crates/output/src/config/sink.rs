//! What receives the effective configuration while it is walked (`tf_json`, `unfolding`): every part with its origin.

use std::rc::Rc;
use std::sync::Arc;

use super::super::json::{Container, JsonWriter};
use super::expr::{self, Form};
use super::unfolding::Hcl1Part;
use overfold_base::diag::Span;
use overfold_model::config::{Argument, Block};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::json::write_text;
use overfold_value::{Kind, Value, with_stack};

/// Receives JSON values, piece by piece. Whatever begins ends, and every key is followed by a value.
pub(crate) trait JsonSink: Sized {
    /// Begins an object or array.
    fn begin(&mut self, container: Container);
    /// Ends the innermost object or array, which is this one.
    fn end(&mut self, container: Container);
    /// Receives the name of a member; its value follows.
    fn key(&mut self, name: &str);
    /// Receives a string.
    fn str(&mut self, text: &str);
    /// Receives the JSON text of a number, a boolean or null.
    fn scalar(&mut self, text: &str);

    /// Receives a string that consists of several pieces.
    fn pieces(&mut self, pieces: &[&str]) {
        self.str(&pieces.concat());
    }

    /// Receives a value of the language whose JSON text, in this form, is `text`.
    fn known(&mut self, value: &Value, form: Form, _text: &str) {
        write_known(self, value, form);
    }

    /// Receives an object; `inside` passes its members on.
    fn object(&mut self, inside: impl FnOnce(&mut Self)) {
        self.begin(Container::Object);
        inside(self);
        self.end(Container::Object);
    }

    /// Receives an array; `inside` passes its items on.
    fn array(&mut self, inside: impl FnOnce(&mut Self)) {
        self.begin(Container::Array);
        inside(self);
        self.end(Container::Array);
    }

    /// Receives `true` or `false`.
    fn bool(&mut self, value: bool) {
        self.scalar(if value { "true" } else { "false" });
    }

    /// Receives `null`.
    fn null(&mut self) {
        self.scalar("null");
    }
}

/// Receives the effective configuration in the shape of the tool's JSON syntax, with the origin of its parts.
pub(crate) trait ConfigSink<'a>: JsonSink {
    /// Whether what it receives is only compared and never shown. It then receives secrets as well, and is told which
    /// arguments contain any.
    const IS_COMPARED: bool = false;

    /// The body of this block comes next.
    fn block(&mut self, _block: &Block<'_>) {}

    /// What an argument stands for comes next; `place` ends where its expression does.
    fn place(&mut self, _place: Span) {}

    /// Receives the value of an argument.
    fn argument(&mut self, forest: &'a Forest, _origin: impl FnOnce() -> ArgumentOrigin, value: ArgumentValue<'a>) {
        value.write(forest, self);
    }
}

/// What a comparison of two configurations needs to know about an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentOrigin {
    /// The expression; `None` for arguments of which the loader keeps only names.
    pub(crate) expr: Option<ExprAt>,
    /// From the name to the end of the expression.
    pub(crate) range: Option<Span>,
    /// Whether the expression has a syntax error.
    pub(crate) broken: bool,
    /// Whether it contains a secret that may not be shown.
    pub(crate) hidden: bool,
    /// How its strings are read.
    pub(crate) form: Form,
}

impl ArgumentOrigin {
    pub(super) fn of(argument: &Argument<'_>, hidden: bool, form: Form) -> Self {
        Self { expr: Some(argument.expr), range: Some(argument.range), broken: argument.broken, hidden, form }
    }

    /// Names that come from no single argument.
    pub(super) const fn names() -> Self {
        Self { expr: None, range: None, broken: false, hidden: false, form: Form::Literal }
    }
}

/// The effective value of an argument.
#[derive(Clone, Debug)]
pub(crate) enum ArgumentValue<'a> {
    /// Not shown.
    Hidden,
    /// A text that no expression in the files has.
    Text(Rc<str>),
    /// A number, a boolean or null.
    Scalar(Rc<str>),
    /// Names.
    Names(&'a [Arc<str>]),
    /// The expression, of which strings are read in this form.
    Expression(ExprAt, Form),
    /// A value with its JSON text in this form.
    Known(&'a Value, Form, Rc<str>),
    /// A value of HCL 1.
    Hcl1(Hcl1Part<'a>),
}

impl<'a> ArgumentValue<'a> {
    /// A value that is known, with its strings written for a tool that reads them in `form`. `None` if some part of it
    /// has no JSON form.
    pub(super) fn known(value: &'a Value, form: Form) -> Option<Self> {
        let mut text = String::new();
        value.write_json(&mut text, if form == Form::Template { template_text } else { write_text }).ok()?;
        Some(Self::Known(value, form, text.into()))
    }

    /// Passes the value on.
    pub(crate) fn write(&self, forest: &Forest, sink: &mut impl JsonSink) {
        match self {
            Self::Hidden => sink.null(),
            Self::Text(text) => sink.str(text),
            Self::Scalar(text) => sink.scalar(text),
            Self::Names(names) => sink.array(|sink| names.iter().for_each(|name| sink.str(name))),
            Self::Expression(at, form) => expr::write(sink, forest, *at, *form),
            Self::Known(value, form, text) => sink.known(value, *form, text),
            Self::Hcl1(part) => part.write(sink, false),
        }
    }
}

fn template_text(text: &str, out: &mut String) {
    write_text(&expr::literal(text), out);
}

/// Passes on a value of which every part has a JSON form.
fn write_known<S: JsonSink>(sink: &mut S, value: &Value, form: Form) {
    let read_back = |text: &str| match form {
        Form::Template => expr::literal(text).into_owned(),
        Form::Literal | Form::Bare => text.to_owned(),
    };
    with_stack(|| match value.kind() {
        // There is no JSON text for what is unknown.
        Kind::Null(_) | Kind::Unknown { .. } => sink.null(),
        Kind::Bool(value) => sink.bool(*value),
        Kind::Number(number) => match number.to_text() {
            Ok(text) => sink.scalar(&text),
            Err(_) => sink.null(),
        },
        Kind::Text(text) => sink.str(&read_back(text)),
        Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
            sink.array(|sink| sequence.items().iter().for_each(|item| write_known(sink, item, form)));
        }
        Kind::Map(mapping) | Kind::Object(mapping) => sink.object(|sink| {
            for (key, value) in mapping.entries() {
                sink.key(&read_back(key));
                write_known(sink, value, form);
            }
        }),
    });
}

impl JsonSink for JsonWriter {
    fn begin(&mut self, container: Container) {
        self.begin(container);
    }

    fn end(&mut self, container: Container) {
        self.end(container);
    }

    fn key(&mut self, name: &str) {
        self.key(name);
    }

    fn str(&mut self, text: &str) {
        self.str(text);
    }

    fn pieces(&mut self, pieces: &[&str]) {
        self.pieces(pieces);
    }

    fn scalar(&mut self, text: &str) {
        self.raw(text);
    }

    fn known(&mut self, _value: &Value, _form: Form, text: &str) {
        self.raw(text);
    }
}

impl ConfigSink<'_> for JsonWriter {}
