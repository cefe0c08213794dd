//! What came of a merge.

use std::collections::BTreeMap;
use std::ops::Range;

use hcl::Body;
use overfold_base::echo::short;
use overfold_base::stack::ensure_sufficient;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::run::{parse, range_in};
use crate::variable::VariableAnswer;
use crate::{Argument, Diagnostic, Error, ErrorKind, Merge, Object, Severity, Source, Span, Variable};

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

/// Something that an override file changed.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
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
    /// The header of the block that contains the part: of the object, or of a nested block in it.
    pub within: Span,
    /// What was there before; for something ignored, what is kept.
    pub before: Option<Part>,
    /// What the override file put there; for something ignored, what has no effect.
    pub after: Option<Part>,
    /// The rule, as the dialect's table names it, such as `replace`.
    pub rule: String,
}

/// One side of an [`Override`].
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The source text of the expression, exactly as written; `None` if the part is a block, or the text is sensitive.
    pub expression: Option<String>,
    /// From the name to the end of the expression, or the whole block.
    #[serde(rename = "range")]
    pub span: Span,
}

impl Report {
    /// Reads an answer.
    pub(crate) fn new(answer: String, merge: &Merge, source: &Source) -> Result<Self, Error> {
        let Answer { valid, version, module, diagnostics } = parse(&answer)?;
        let Module { config, mut objects, variables, overrides } = module.unwrap_or_default();
        objects.values_mut().for_each(Object::leave_out_deep_blocks);
        Ok(Self {
            version,
            valid,
            diagnostics,
            config: config.map(|config| range_in(&answer, config.get())),
            objects,
            variables: variables.into_iter().map(|(name, variable)| (name, variable.into())).collect(),
            overrides,
            merge: merge.clone(),
            source: source.clone(),
            answer,
        })
    }

    /// Whether there is no diagnostic of the severity [`Error`](Severity::Error).
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

    /// Returns the objects by their addresses: `aws_instance.web`, `data.aws_ami.base`, `var.region`, `local.name`,
    /// `output.id`, `module.net`, `provider.aws.west`, `terraform.backend`, `check.health`, `moved[0]`. Empty for
    /// [`TfLint`](crate::Dialect::TfLint), whose blocks have no addresses: [`Self::to_json`] lists them.
    pub const fn objects(&self) -> &BTreeMap<String, Object> {
        &self.objects
    }

    /// Returns an argument of an object, such as `aws_instance.web` and `ami`: what takes effect, and what it replaced.
    /// Arguments of nested blocks are in [`Self::objects`].
    pub fn argument(&self, address: &str, name: &str) -> Option<&Argument> {
        self.objects.get(address)?.arguments.get(name)
    }

    /// Returns what override files changed, in the order of their files.
    pub fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Returns the input variables, by name. They have values if [`Merge::values`] was called, or an option sets one.
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

    /// Returns the merged configuration in native syntax, as one text. The files are merged once more for it, with the
    /// options, [`Limits`](crate::Limits) and [`Cancel`](crate::Cancel) of the question: a folder is read again, and what has
    /// changed in it since then shows.
    ///
    /// # Errors
    /// As [`Merge::run`].
    pub fn to_hcl(&self) -> Result<String, Error> {
        self.merge.native_text(&self.source)
    }

    /// Returns the merged configuration as a body, for `hcl::from_body`. The files are merged once more for it, as for
    /// [`Self::to_hcl`]. `hcl` reads one block of a type as a map and several as a list; where their number varies, walk
    /// [`Self::objects`] instead.
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
        ensure_sufficient(|| hcl::parse(&text)).map_err(|error| {
            let hint = if self.is_valid() { "" } else { "; the configuration has errors, see the diagnostics" };
            // The parser quotes the whole line, however long that is.
            Error::new(ErrorKind::Form, format!("{}{hint}", short(&error.to_string())))
        })
    }
}
