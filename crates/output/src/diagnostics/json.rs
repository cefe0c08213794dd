//! Diagnostics in the shape of `terraform validate -json`, with additional fields of our own.

use serde::{Serialize, Serializer};

use super::super::json::JsonText;
use super::super::redaction::Redaction;
use super::snippet::Snippet;
use super::{Placed, in_order};
use crate::view::{Diagnostic, Range, Related};
use overfold_base::diag;
use overfold_base::diag::{Diagnostics, Severities};
use overfold_module::pipeline::Report;
use overfold_syntax::Forest;

/// The list of all diagnostics of a module that are shown, in order.
pub struct DiagnosticList<'a>(List<'a>);

enum List<'a> {
    /// Those of a report.
    Placed { redaction: &'a Redaction<'a>, forest: &'a Forest, placed: Vec<Placed<'a>> },
    /// Those of several modules, which are written already.
    Written(&'a [Record]),
}

impl<'a> DiagnosticList<'a> {
    /// Lists the diagnostics of a report.
    pub(crate) fn of(report: &'a Report<'_>, redaction: &'a Redaction<'a>) -> Self {
        Self::new(redaction, report.forest, &report.diagnostics, &report.severities)
    }

    fn new(
        redaction: &'a Redaction<'a>,
        forest: &'a Forest,
        diagnostics: &'a Diagnostics,
        severities: &Severities,
    ) -> Self {
        Self(List::Placed { redaction, forest, placed: in_order(diagnostics, severities, &forest.sources) })
    }

    /// Lists diagnostics that are written already.
    pub(crate) const fn written(records: &'a [Record]) -> Self {
        Self(List::Written(records))
    }
}

impl Serialize for DiagnosticList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            List::Placed { redaction, forest, placed } => {
                serializer.collect_seq(placed.iter().map(|placed| view(redaction, forest, placed)))
            }
            List::Written(records) => serializer.collect_seq(records.iter().map(|record| &record.json)),
        }
    }
}

/// A diagnostic as JSON, with its sort key.
pub(crate) struct Record {
    /// The file name and the 0-based byte offset in the file; `None` if it has no position.
    pub(crate) at: Option<(Box<str>, u32)>,
    /// The title.
    pub(crate) summary: Box<str>,
    /// The diagnostic as a JSON object.
    pub(crate) json: JsonText<'static>,
}

/// Returns every diagnostic of one module of several, each as an object that names the module directory.
pub(crate) fn records<'d>(
    redaction: &Redaction<'_>,
    forest: &'d Forest,
    diagnostics: impl IntoIterator<Item = &'d diag::Diagnostic>,
    severities: &Severities,
    module: &str,
) -> Vec<Record> {
    let record = |placed: Placed<'_>| Record {
        at: placed.at.map(|(name, range)| (name.into(), range.start.byte)),
        summary: placed.diagnostic.summary.as_ref().into(),
        json: JsonText::of_view(&Diagnostic { module: Some(module), ..view(redaction, forest, &placed) }),
    };
    in_order(diagnostics, severities, &forest.sources).into_iter().map(record).collect()
}

/// Returns the view of a diagnostic.
pub(crate) fn view<'a>(redaction: &Redaction<'_>, forest: &'a Forest, placed: &Placed<'a>) -> Diagnostic<'a> {
    let diagnostic = placed.diagnostic;
    let texts = redaction.texts(diagnostic);
    let place = diagnostic.span.zip(placed.at);
    let related = diagnostic
        .related
        .iter()
        .map(|label| Related { message: texts.label(label), range: Range::of(&forest.sources, label.span) });
    let related = related.collect();
    Diagnostic {
        severity: placed.severity,
        default_severity: (placed.severity != diagnostic.severity).then_some(diagnostic.severity),
        code: diagnostic.code.id,
        origin: diagnostic.origin,
        summary: texts.summary,
        address: texts.address.map(|address| &**address),
        range: place.map(|(_, (name, range))| Range::new(name, range)),
        snippet: place.and_then(|(span, _)| Snippet::of(redaction, forest, span, diagnostic.context)),
        related,
        module: None,
        rule: None,
        detail: texts.detail,
    }
}
