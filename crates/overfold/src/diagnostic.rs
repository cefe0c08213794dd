//! Diagnostics.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Span;

/// Something that is wrong with a configuration, or worth knowing about it. The same place can have two of one code, of
/// which one is what the tool reports and the other what it reports later ([`Origin`]).
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How serious it is, or as how serious the question wants it shown.
    pub severity: Severity,
    /// The kind of the diagnostic, which is stable, such as `override/content-lost`.
    pub code: String,
    /// Who would report it.
    pub origin: Origin,
    /// The short title: that of the tool, if it has one.
    pub summary: String,
    /// What is wrong, why, and what to do.
    pub detail: String,
    /// The address of the object concerned, such as `aws_instance.web`.
    pub address: Option<String>,
    /// Where it is; `None` if it is reported without a place. An empty range is widened by one byte and one column.
    #[serde(rename = "range")]
    pub span: Option<Span>,
    /// Further places.
    #[serde(default)]
    pub related: Vec<RelatedSpan>,
}

/// A further place that belongs to a [`Diagnostic`].
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RelatedSpan {
    /// What is there.
    pub message: String,
    /// Where it is.
    #[serde(rename = "range")]
    pub span: Span,
}

/// How serious a [`Diagnostic`] is. What is more serious is greater.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// The tool would go on.
    Warning,
    /// The tool would stop.
    Error,
}

/// Who would report a [`Diagnostic`].
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The tool whose rules are followed.
    Tool,
    /// The same, but only in a later command, or once the errors are mended that it reports now.
    ToolLater,
    /// overfold alone.
    Overfold,
}

/// One line: place, severity, title and code.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(span) = &self.span {
            write!(f, "{span}: ")?;
        }
        write!(f, "{}: {} [{}]", self.severity, self.summary, self.code)
    }
}

/// `error`, `warning` or `note`.
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "note",
        })
    }
}
