//! A difference as JSON.

use serde::{Serialize, Serializer};

use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::{Change, Contents, Difference, Expression, ItemChange, Locations, PartChange, Side};
use crate::answer::dropped;
use crate::diagnostics::DiagnosticList;
use crate::view::{
    DiffAnswer, DiffChange, DiffDiagnostics, DiffItem, DiffItemSide, DiffModule, DiffOverride, DiffPart, DiffSide,
    HideableText, Range, VersionFrom,
};
use overfold_base::diag::Span;
use overfold_module::pipeline::Report;

pub(super) fn write(difference: &Difference<'_>) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(1024);
    let redactions = [difference.before, difference.after].map(Redaction::of);
    json.view(&DiffAnswer {
        different: difference.is_different(),
        before: module(difference.before),
        after: module(difference.after),
        changes: Some(Changes(difference)),
        modules: None,
        affected: None,
        module_counts: None,
        counts: difference.counts(),
        diagnostics: Some(diagnostics(difference, &redactions)),
    });
    json.into_bytes()
}

/// Returns the findings of both sides; `redactions` are those of the sides.
pub(super) fn diagnostics<'a>(
    difference: &'a Difference<'a>,
    redactions: &'a [Redaction<'a>; 2],
) -> DiffDiagnostics<'a> {
    let [was, is] = redactions;
    DiffDiagnostics {
        appeared: &difference.findings.appeared,
        vanished: &difference.findings.vanished,
        before: DiagnosticList::of(difference.before, was),
        after: DiagnosticList::of(difference.after, is),
    }
}

/// Describes one side.
pub(super) fn module<'a>(report: &'a Report<'_>) -> DiffModule<'a> {
    DiffModule {
        valid: !report.diagnostics.has_errors(),
        dialect: report.dialect.name,
        version: &report.version,
        version_from: report.version_from.as_deref().map(VersionFrom::new),
        path: if report.root.is_empty() { "." } else { &report.root },
        diagnostics_dropped: dropped(report.dropped()),
    }
}

/// The objects that are not the same.
pub struct Changes<'a>(pub(super) &'a Difference<'a>);

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.changes.iter().map(|change| self.0.change(change)))
    }
}

/// Arguments, nested blocks and labels that are not the same.
pub struct Parts<'a> {
    difference: &'a Difference<'a>,
    list: &'a [PartChange],
}

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list.iter().map(|part| self.difference.part(part)))
    }
}

impl Difference<'_> {
    fn change<'a>(&'a self, change: &'a Change) -> DiffChange<'a> {
        DiffChange {
            address: &change.address,
            previous_address: change.previous_address.as_deref(),
            kind: &change.kind,
            change: change.act,
            before: side(self.before, change.sides.before.as_ref()),
            after: side(self.after, change.sides.after.as_ref()),
            override_: overrides(&change.sides),
            parts: self.parts(&change.parts),
            body: self.parts(&change.body.parts),
            body_dropped: more(&change.body),
        }
    }

    fn part<'a>(&'a self, part: &'a PartChange) -> DiffPart<'a> {
        let items = part.items.iter().map(|item| self.item(item)).collect::<Vec<_>>();
        DiffPart {
            name: &part.name,
            part: part.what,
            change: part.act,
            before: side(self.before, part.sides.before.as_ref()),
            after: side(self.after, part.sides.after.as_ref()),
            override_: overrides(&part.sides),
            body: self.parts(&part.body.parts),
            body_dropped: more(&part.body),
            items: (!items.is_empty()).then_some(items),
        }
    }

    fn parts<'a>(&'a self, list: &'a [PartChange]) -> Option<Parts<'a>> {
        (!list.is_empty()).then_some(Parts { difference: self, list })
    }

    fn item<'a>(&'a self, item: &'a ItemChange) -> DiffItem<'a> {
        let side = |report: &'a Report<'_>, span: Option<Span>| {
            let (sources, span) = (&report.forest.sources, span?);
            Some(DiffItemSide { expression: sources.text(span), range: Range::of(sources, span) })
        };
        DiffItem {
            key: item.key.as_deref(),
            change: item.act,
            before: side(self.before, item.before),
            after: side(self.after, item.after),
        }
    }
}

/// The number of parts of a body that are not kept.
fn more(body: &Contents) -> Option<u32> {
    (body.more > 0).then_some(body.more)
}

fn overrides(sides: &Locations) -> Option<DiffOverride<'_>> {
    let [before, after] = sides.overrides.each_ref().map(Option::as_deref);
    (before.is_some() || after.is_some()).then_some(DiffOverride { before, after })
}

fn side<'a>(report: &'a Report<'_>, side: Option<&'a Side>) -> Option<DiffSide<'a>> {
    let (side, sources) = (side?, &report.forest.sources);
    let expression = match side.expression {
        Some(Expression::Hidden) => Some(HideableText(None)),
        Some(Expression::Source(span)) => Some(HideableText(Some(sources.text(span)))),
        Some(Expression::Broken) | None => None,
    };
    Some(DiffSide {
        pointer: &side.pointer,
        expression,
        redacted: (side.expression == Some(Expression::Hidden)).then_some(true),
        broken: (side.expression == Some(Expression::Broken)).then_some(true),
        range: side.range.map(|range| Range::of(sources, range)),
    })
}
