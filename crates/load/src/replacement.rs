//! What replaces expressions that refer to something and whose value is known.

use std::sync::Arc;

use overfold_base::diag::Span;
use overfold_value::Value;

/// An expression, or a part of one, that is replaced by its value.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The address of the object that contains it.
    pub address: Arc<str>,
    /// The name of the argument that contains it, unless the object is one.
    pub name: Option<Arc<str>>,
    /// The argument that contains it, from its name to the end of its expression.
    pub argument: Span,
    /// What is replaced. Within a string of a JSON file, this is a place in the text of that string.
    pub at: Span,
    /// What it is.
    pub part: ReplacedPart,
    /// The string of a JSON file that contains it, with its quotes.
    pub string: Option<Span>,
    /// The value, which is wholly known and not secret.
    pub value: Value,
    /// What of the type of the value must survive.
    pub kept: KeptType,
}

/// What is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplacedPart {
    /// A whole expression of the native syntax: of an argument, or of an item of a list or an object.
    Expression,
    /// A reference that is a part of an expression.
    Reference,
    /// A reference that is all of an interpolation in a template. Its braces are where nothing but blanks is around it.
    Interpolation(TemplateText),
    /// A whole string of a JSON file.
    Text,
    /// The name of a property in a JSON file.
    Name,
}

/// How the literal text of a template is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateText {
    /// Between quotes, with escape sequences.
    Quoted,
    /// As it is, in lines that end with a line of a certain word.
    Heredoc,
    /// As it is.
    Plain,
}

/// What of the type of a value must survive where it is written out. A list, a map or a set that is written out is a tuple
/// or an object until something converts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptType {
    /// Nothing: what takes the value converts it.
    Nothing,
    /// What is a set, at any depth: repetition treats sets in its own way.
    Sets,
    /// All of it.
    All,
}
