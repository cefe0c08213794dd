//! Input variables.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::Value;

/// An input variable.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Variable {
    /// The declared type constraint, as written.
    pub type_constraint: Option<String>,
    /// The declared default; `None` if there is none.
    pub default: Option<Value>,
    /// The value; `None` if it has none, or if no option of the question asks for values or sets one.
    pub value: Option<Value>,
    /// Where the value comes from: one source, or all sources of a map that is merged from several, lowest precedence first.
    pub sources: Vec<ValueSource>,
    /// The sources over which those take precedence, highest precedence first.
    pub superseded: Vec<ValueSource>,
    /// Whether the declaration marks it as sensitive.
    pub is_sensitive: bool,
    /// Whether it accepts null as a value.
    pub is_nullable: bool,
}

/// Where a value of a [`Variable`] comes from.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ValueSource {
    /// The default of the declaration.
    Default,
    /// An environment variable, by name.
    Environment(String),
    /// A variable definitions file, by path: one that is always read, or one that the question names.
    File(String),
    /// The question itself.
    Question,
}

/// An input variable as the answer has it.
#[derive(Deserialize)]
pub(crate) struct VariableAnswer {
    #[serde(rename = "type")]
    type_constraint: Option<String>,
    #[serde(default, deserialize_with = "present")]
    default: Option<Json>,
    #[serde(default, deserialize_with = "present")]
    value: Option<Json>,
    #[serde(default)]
    redacted: bool,
    #[serde(default)]
    sensitive: bool,
    nullable: Option<bool>,
    state: Option<String>,
    from: Option<Sources>,
    #[serde(default)]
    superseded: Vec<SourceAnswer>,
}

/// One source of a value, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sources {
    One(SourceAnswer),
    Merged(Vec<SourceAnswer>),
}

#[derive(Deserialize)]
struct SourceAnswer {
    kind: String,
    name: Option<String>,
    path: Option<String>,
}

/// Tells a value of null from none.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl From<SourceAnswer> for ValueSource {
    fn from(SourceAnswer { kind, name, path }: SourceAnswer) -> Self {
        match (&*kind, name, path) {
            (_, Some(name), _) => Self::Environment(name),
            (_, _, Some(path)) => Self::File(path),
            ("default", ..) => Self::Default,
            _ => Self::Question,
        }
    }
}

impl From<VariableAnswer> for Variable {
    fn from(answer: VariableAnswer) -> Self {
        let shown = |value: Option<Json>| match value {
            Some(_) if answer.redacted => Some(Value::Hidden),
            value => value.map(Value::from),
        };
        let value = match answer.state.as_deref() {
            None | Some("error") => None,
            Some("unknown") => Some(Value::Unknown),
            Some(_) => shown(answer.value),
        };
        let sources = match answer.from {
            None => Vec::new(),
            Some(Sources::One(source)) => vec![source.into()],
            Some(Sources::Merged(sources)) => sources.into_iter().map(ValueSource::from).collect(),
        };
        Self {
            type_constraint: answer.type_constraint,
            default: shown(answer.default),
            value,
            sources,
            superseded: answer.superseded.into_iter().map(ValueSource::from).collect(),
            is_sensitive: answer.sensitive,
            is_nullable: answer.nullable.unwrap_or(true),
        }
    }
}
