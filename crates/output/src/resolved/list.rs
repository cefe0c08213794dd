//! The list of what was replaced.

use serde::{Serialize, Serializer};

use super::super::config::{Pointers, locate};
use super::super::json::JsonText;
use super::super::redaction::Redaction;
use super::{Done, Resolved};
use crate::view::{HideableText, Range, ReplacedExpression, Replacement, ReplacingValue};
use overfold_base::account;
use overfold_model::config::Part;

/// What was replaced, sorted by position.
pub struct Replacements<'a> {
    pub(crate) resolved: &'a Resolved<'a>,
    pub(crate) redaction: &'a Redaction<'a>,
}

impl Serialize for Replacements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Resolved { report, done, .. } = self.resolved;
        let pointers = if done.is_empty() { Pointers::default() } else { locate(None, report, self.redaction) };
        serializer.collect_seq(done.iter().map(|done| self.entry(&pointers, done)))
    }
}

impl<'a> Replacements<'a> {
    fn entry<'v>(&self, pointers: &'v Pointers, Done { replacement, expression }: &'v Done<'_>) -> Replacement<'v>
    where
        'a: 'v,
    {
        account::work(16);
        let sources = &self.resolved.report.forest.sources;
        let at = sources.in_file(replacement.at);
        let hidden = self.redaction.masks(at.source).intersect(at.range());
        Replacement {
            address: &replacement.address,
            pointer: pointers.of(Part::Argument(""), replacement.argument),
            argument: replacement.name.as_deref(),
            before: ReplacedExpression {
                expression: HideableText((!hidden).then(|| sources.text(replacement.at))),
                redacted: hidden.then_some(true),
                range: Range::of(sources, replacement.at),
            },
            after: ReplacingValue { expression, value: JsonText::of(&replacement.value) },
        }
    }
}
