//! What came of a merge.

use std::collections::BTreeMap;
use std::ops::Range;

use hcl::Body;
use overfold_base::stack::ensure_sufficient;
use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::run::{parse, range_in};
use crate::{Diagnostic, Error, ErrorKind, Merge, Severity, Source, Span, Value};

/// A merged configuration, where each part of it came from, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Report {
    answer: String,
    version: String,
    valid: bool,
    diagnostics: Vec<Diagnostic>,
    /// Where the configuration stands in the answer.
    config: Option<Range<usize>>,
    objects: BTreeMap<String, Object>,
    variables: BTreeMap<String, Variable>,
    overrides: Vec<Override>,
    merge: Merge,
    source: Source,
}

/// The answer of a merge.
#[derive(Deserialize)]
struct Answer<'a> {
    valid: bool,
    version: String,
    #[serde(borrow)]
    module: Option<Module<'a>>,
    diagnostics: Vec<Diagnostic>,
}

/// What an answer says of the module.
#[derive(Deserialize, Default)]
struct Module<'a> {
    #[serde(borrow)]
    config: Option<&'a RawValue>,
    #[serde(default)]
    objects: BTreeMap<String, Object>,
    #[serde(default)]
    variables: BTreeMap<String, VariableAnswer>,
    #[serde(default)]
    overrides: Vec<Override>,
}

/// An object of the configuration, as far as its arguments go.
#[derive(Deserialize, Clone, Debug)]
struct Object {
    #[serde(default)]
    attributes: BTreeMap<String, Argument>,
}

/// An argument of the merged configuration.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Argument {
    /// The source text of the expression that takes effect, exactly as written; `None` if it is sensitive, or cannot be
    /// parsed.
    pub expression: Option<String>,
    /// Where it stands, from the name to the end of the expression.
    #[serde(rename = "range")]
    pub span: Span,
    /// Whether an override file added it.
    #[serde(default)]
    pub added: bool,
    /// What it replaced, oldest first.
    #[serde(default, rename = "previous")]
    pub replaced: Vec<Replaced>,
}

/// An expression that an override file replaced.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Replaced {
    /// Its source text; `None` if it is sensitive, or cannot be parsed.
    pub expression: Option<String>,
    /// Where it stands, from the name to the end of the expression.
    #[serde(rename = "range")]
    pub span: Span,
}

/// Something that an override file changed.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Override {
    /// The address of the object.
    pub address: String,
    /// What happened: `replaced`, `added`, `removed`, `block-replaced`, `object-added` or `ignored`.
    pub change: String,
    /// The name of the argument concerned.
    pub argument: Option<String>,
    /// The type of the nested block concerned. Without both, the object itself is concerned.
    pub block: Option<String>,
    /// The override file.
    pub file: String,
    /// The place in it that caused the change.
    #[serde(rename = "cause")]
    pub span: Span,
    /// The rule, as the dialect's table names it, such as `replace`.
    pub rule: String,
}

/// An input variable.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Variable {
    /// The declared type constraint, as written.
    pub type_constraint: Option<String>,
    /// The value; `None` if values were not asked for, or it has none.
    pub value: Option<Value>,
    /// Whether the declaration marks it as sensitive.
    pub is_sensitive: bool,
}

/// An input variable as the answer has it.
#[derive(Deserialize)]
struct VariableAnswer {
    #[serde(rename = "type")]
    type_constraint: Option<String>,
    #[serde(default, deserialize_with = "present")]
    value: Option<Json>,
    #[serde(default)]
    redacted: bool,
    #[serde(default)]
    sensitive: bool,
    state: Option<String>,
}

/// Tells a value of null from none.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl Variable {
    fn from_answer(answer: VariableAnswer) -> Self {
        let value = match answer.state.as_deref() {
            None | Some("error") => None,
            Some("unknown") => Some(Value::Unknown),
            Some(_) if answer.redacted => Some(Value::Hidden),
            Some(_) => answer.value.map(Value::from),
        };
        Self { type_constraint: answer.type_constraint, value, is_sensitive: answer.sensitive }
    }
}

impl Report {
    /// Reads an answer.
    pub(crate) fn new(answer: String, merge: &Merge, source: &Source) -> Result<Self, Error> {
        let Answer { valid, version, module, diagnostics } = parse(&answer)?;
        let Module { config, objects, variables, overrides } = module.unwrap_or_default();
        Ok(Self {
            version,
            valid,
            diagnostics,
            config: config.map(|config| range_in(&answer, config.get())),
            objects,
            variables: variables
                .into_iter()
                .map(|(name, variable)| (name, Variable::from_answer(variable)))
                .collect(),
            overrides,
            merge: merge.clone(),
            source: source.clone(),
            answer,
        })
    }

    /// Whether the tool would find no error.
    pub const fn is_valid(&self) -> bool {
        self.valid
    }

    /// Returns the version whose rules were followed: as it was asked for, or the newest one.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns everything that was found, in the order of the files.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Iterates over the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// Iterates over the addresses of the objects, sorted.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.objects.keys().map(String::as_str)
    }

    /// Returns an argument of an object, such as `aws_instance.web` and `ami`: what takes effect, and what it replaced.
    pub fn argument(&self, address: &str, name: &str) -> Option<&Argument> {
        self.objects.get(address)?.attributes.get(name)
    }

    /// Returns what override files changed, in the order of their files.
    pub fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Returns the input variables, by name.
    pub const fn variables(&self) -> &BTreeMap<String, Variable> {
        &self.variables
    }

    /// Returns the whole answer as JSON: the bytes that the service answers with for the same files and options, with the
    /// parts `config`, `objects`, `variables` and `overrides`.
    pub fn to_json(&self) -> &str {
        &self.answer
    }

    /// Returns the merged configuration alone, in Terraform's JSON configuration syntax; `None` if nothing could be loaded.
    pub fn config(&self) -> Option<&str> {
        self.answer.get(self.config.clone()?)
    }

    /// Returns the merged configuration in native syntax, as one text. The files are merged once more for it.
    ///
    /// # Errors
    /// As [`Merge::run`].
    pub fn to_hcl(&self) -> Result<String, Error> {
        self.merge.native_text(&self.source)
    }

    /// Returns the merged configuration as a body, for `hcl::from_body`. The files are merged once more for it.
    ///
    /// ```
    /// # use overfold::{Merge, Source, hcl};
    /// # use std::collections::BTreeMap;
    /// #[derive(serde::Deserialize)]
    /// struct Config {
    ///     locals: BTreeMap<String, String>,
    /// }
    ///
    /// let source = Source::from_files([
    ///     ("main.tf", "locals {\n  region = \"eu-west-1\"\n}\n"),
    ///     ("override.tf", "locals {\n  region = \"eu-north-1\"\n}\n"),
    /// ])?;
    /// let config: Config = hcl::from_body(Merge::new().run(&source)?.to_body()?)?;
    /// assert_eq!(config.locals["region"], "eu-north-1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Merge::run`]; and fails if the configuration has something that `hcl` cannot parse.
    pub fn to_body(&self) -> Result<Body, Error> {
        let text = self.to_hcl()?;
        ensure_sufficient(|| hcl::parse(&text)).map_err(|error| Error::new(ErrorKind::Form, error.to_string()))
    }
}
