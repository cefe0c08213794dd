//! Decides what an answer may show. This is the only place that does, and every writer of this crate consults it.
//!
//! The values of sensitive variables are hidden, unless the request asks for them; those of ephemeral variables always
//! are. That covers defaults (including those within a type, `optional(…, default)`), assignments in definitions files,
//! what is literally written for a sensitive output or passed to a sensitive variable of a called module ([`literals`]),
//! values that evaluation has marked, and texts that may quote any of these. A value that a definitions file assigns to
//! an undeclared name is treated as sensitive.
//!
//! The positions of hidden values in a file are a list of ranges, its *masks*, built when some part of the file is
//! first shown. In a file with a syntax error it is uncertain which byte belongs to what, so more is masked
//! ([`damaged`]).

mod damaged;
mod json;
mod literals;
mod native;

use std::borrow::Cow;
use std::sync::Arc;

use elsa::FrozenMap;

use overfold_base::account::{self, ChargedSort, List};
use overfold_base::diag::{Diagnostic, Label, Quotes, Secrecy, SourceId, Span, TextRange};
use overfold_base::echo;
use overfold_base::files::{Source, SourceKind, SourceRole};
use overfold_dialect::{AttrKind, words};
use overfold_model::config::{Argument, Block, History, Secrets, secrets};
use overfold_module::pipeline::{CalledModules, Report};
use overfold_syntax::{ExprAt, Forest, Parsed};
use overfold_value::Value;

/// Replaces a hidden text.
pub(super) const MARKER: &str = "(redacted)";

/// Decides what may be shown of one report.
pub(super) struct Redaction<'r> {
    forest: &'r Forest,
    secrets: &'r Secrets,
    /// The modules whose files have secrets of their own.
    called: Option<&'r CalledModules>,
    /// The highest secrecy of values that may be shown.
    shown: Secrecy,
    /// Whether no configuration has hidden values.
    has_no_secrets: bool,
    masks: FrozenMap<SourceId, Box<Masks>>,
}

/// Replaces a hidden value in a file in native syntax.
pub(super) const VALUE: &str = "null /* redacted */";
/// Replaces a hidden value in a file in JSON syntax.
const JSON_VALUE: &str = "null";
/// Replaces a hidden default in native syntax: without it, the declaration is valid whatever its type and its rules
/// are, and nobody takes another value for the real one.
pub(super) const LEFT_OUT: &str = "/* default: redacted */";

/// The ranges of one source that may not be shown, and how a copy of the file can do without them.
#[derive(Default, Debug)]
pub(super) struct Masks {
    /// Ascending and separate.
    ranges: List<TextRange>,
    /// Ascending and separate.
    cuts: List<Cut>,
}

/// A change that removes a hidden text from a copy of its file and leaves the copy as well-formed as the file is.
#[derive(Debug)]
pub(super) struct Cut {
    /// The range that is replaced; it contains the hidden text.
    pub(super) range: TextRange,
    /// The text in its place.
    pub(super) with: Cow<'static, str>,
}

/// Hidden parts of one source while they are collected.
#[derive(Debug)]
struct Hidden {
    ranges: List<TextRange>,
    cuts: List<Cut>,
    /// Replaces a value.
    value: &'static str,
}

impl Hidden {
    /// Hides a value; a copy has a null in its place.
    fn hide_value(&mut self, range: TextRange) {
        self.hide(range, range, self.value);
    }

    /// Hides a range; a copy has `with` in place of `whole`, which contains the range.
    fn hide(&mut self, range: TextRange, whole: TextRange, with: impl Into<Cow<'static, str>>) {
        self.ranges.push(range);
        self.cuts.push(Cut { range: whole, with: with.into() });
    }
}

/// The texts of a diagnostic as they may be shown.
pub(super) struct Texts<'d> {
    pub(super) summary: &'d str,
    pub(super) detail: Cow<'d, str>,
    pub(super) address: Option<&'d Arc<str>>,
    /// Whether any part of them is hidden.
    hidden: bool,
}

impl Texts<'_> {
    /// Whether any part of them is hidden.
    pub(super) const fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Returns the message at a secondary position.
    pub(super) fn label<'l>(&self, label: &'l Label) -> &'l str {
        match &label.message {
            Cow::Owned(_) if self.hidden => MARKER,
            message => message,
        }
    }
}

impl<'r> Redaction<'r> {
    pub(super) fn of(report: &'r Report<'r>) -> Self {
        let own = Self::new(report.forest, &report.module.secrets, report.reveal_sensitive);
        Self { called: Some(&report.called), ..own }
    }

    /// Prepares the decisions for these sources; `reveal` permits sensitive values to be shown.
    pub(super) fn new(forest: &'r Forest, secrets: &'r Secrets, reveal: bool) -> Self {
        let shown = if reveal { Secrecy::Sensitive } else { Secrecy::Open };
        let has_no_secrets = strongest(secrets) <= shown;
        Self { forest, secrets, called: None, shown, has_no_secrets, masks: FrozenMap::new() }
    }

    /// Returns the decisions about a file: those of the called modules, if it belongs to one.
    fn about(&self, file: SourceId) -> Option<Self> {
        let called = self.called.filter(|called| called.has(file))?;
        let own = Self::new(self.forest, &called.secrets, false);
        Some(Self { shown: self.shown, has_no_secrets: strongest(&called.secrets) <= self.shown, ..own })
    }

    /// Whether values of this secrecy are hidden.
    pub(super) fn hides(&self, secrecy: Secrecy) -> bool {
        secrecy > self.shown
    }

    /// Whether the values of a declared variable are hidden.
    pub(super) fn hides_variable(&self, name: &str) -> bool {
        self.hides(self.secrets.variable(name))
    }

    /// Whether the values of a variable are hidden because of its declaration. One without a declaration has nothing
    /// to hide here: the other side of a difference may be the only one that has it.
    pub(super) fn hides_declaration(&self, name: &str) -> bool {
        self.secrets.declared_variable(name).is_some_and(|secrecy| self.hides(secrecy))
    }

    /// Whether a value is hidden because of its marks, wherever it comes from.
    pub(super) fn hides_value(&self, value: &Value) -> bool {
        self.hides(value.deep_marks().secrecy())
    }

    /// Whether an expression is hidden because it contains a secret value.
    pub(super) fn hides_expression(&self, at: ExprAt) -> bool {
        !self.is_open(at.source()) && self.hides_text(self.forest.expr_span(at))
    }

    /// Whether an argument is a default that is hidden; a copy then leaves it out.
    pub(super) fn leaves_out(&self, argument: &Argument<'_>) -> bool {
        is_default(argument) && self.hides_expression(argument.expr)
    }

    /// Whether an argument contains a secret, or one that it replaced and that is still partly in effect does. A default
    /// replaces the earlier one completely.
    pub(super) fn hides_argument(&self, argument: &Argument<'_>) -> bool {
        let replaced = if is_default(argument) { History::NONE } else { argument.previous };
        replaced.newest_first().chain([argument]).any(|argument| self.hides_expression(argument.expr))
    }

    /// Whether nothing in a file is hidden because the module has no secrets.
    fn is_open(&self, source: SourceId) -> bool {
        let has_no_secrets = self.about(source).map_or(self.has_no_secrets, |own| own.has_no_secrets);
        has_no_secrets
            && self.forest.sources.get(source).is_some_and(|source| {
                source.role.get() == SourceRole::Configuration
                    && matches!(source.kind, SourceKind::Native | SourceKind::Json)
            })
    }

    /// Whether the text of a span is hidden.
    pub(super) fn hides_text(&self, span: Span) -> bool {
        if self.is_open(span.source) {
            return false;
        }
        let span = self.forest.sources.in_file(span);
        self.masks(span.source).intersect(span.range())
    }

    /// Whether a span is in a file with a syntax error and its text is hidden.
    pub(super) fn hides_damaged(&self, span: Span) -> bool {
        let damaged = self.forest.sources.get(self.forest.sources.in_file(span).source);
        damaged.is_some_and(|source| source.damaged) && self.hides_text(span)
    }

    /// Whether a label of a block is hidden: the parser may have mistaken something else for a label.
    pub(super) fn hides_labels(&self, block: &Block<'_>) -> bool {
        block.labels.iter().any(|label| self.hides_damaged(label.span))
    }

    /// Whether the type of a variable can be shown, because it is certainly a type.
    pub(super) fn shows_type(&self, block: &Block<'_>) -> bool {
        block.arguments.iter().all(|argument| argument.name != "type" || !self.hides_damaged(argument.range))
    }

    /// Returns the texts of a diagnostic. Texts that are fixed in the program are always shown.
    pub(super) fn texts<'d>(&self, diagnostic: &'d Diagnostic) -> Texts<'d> {
        let quoted = match &diagnostic.quotes {
            Quotes::Nothing => Secrecy::Open,
            Quotes::Variable(name) => self.secrets.variable(name),
            Quotes::Values(secrecy) => *secrecy,
            Quotes::Anything => self.secrets.strongest(),
        };
        let at_place = diagnostic.span.is_some_and(|span| self.hides_at(diagnostic, span));
        let hidden = at_place || self.hides(quoted);
        if !hidden {
            return Texts {
                summary: &diagnostic.summary,
                detail: echo::without_tags(Cow::Borrowed(&diagnostic.detail)),
                address: diagnostic.address.as_ref(),
                hidden,
            };
        }
        // Stages after the parser put only names into titles, unless the diagnostic is known to quote values.
        let names = matches!(diagnostic.code.stage(), "load" | "override");
        let summary = match &diagnostic.summary {
            Cow::Owned(_) if self.hides(quoted) || !names => diagnostic.code.title,
            summary => summary,
        };
        let detail = match (&diagnostic.detail, &diagnostic.withheld) {
            (Cow::Borrowed(fixed), _) => Cow::Borrowed(*fixed),
            (Cow::Owned(_), Some(withheld)) => Cow::Borrowed(&**withheld),
            (Cow::Owned(_), None) => {
                let about = diagnostic.code.about;
                Cow::Owned(format!("{about} A sensitive value is involved, so the reason is not shown."))
            }
        };
        // The address may contain a label that is not really one.
        let address = diagnostic.address.as_ref().filter(|_| !at_place);
        Texts { summary, detail, address, hidden }
    }

    /// Whether the text at the position of a diagnostic is hidden. A parser may also quote the text before it.
    fn hides_at(&self, diagnostic: &Diagnostic, span: Span) -> bool {
        let span = self.forest.sources.in_file(span);
        let masks = self.masks(span.source);
        masks.intersect(span.range())
            || !masks.ranges.is_empty() && diagnostic.code.id.starts_with("syntax/") && self.is_damaged(span.source)
    }

    fn is_damaged(&self, source: SourceId) -> bool {
        self.forest.sources.get(source).is_some_and(|source| source.damaged)
    }

    /// Returns the hidden ranges of a file.
    pub(super) fn masks(&self, id: SourceId) -> &Masks {
        const NONE: &Masks = &Masks { ranges: List::new(), cuts: List::new() };
        let Some(source) = self.forest.sources.get(id) else { return NONE };
        let of_called = self.about(id);
        let own = of_called.as_ref().unwrap_or(self);
        let most = match source.role.get() {
            SourceRole::Configuration => strongest(own.secrets),
            SourceRole::Definitions | SourceRole::Given => own.secrets.undeclared(),
        };
        if !self.hides(most) || !matches!(source.kind, SourceKind::Native | SourceKind::Json) {
            return NONE;
        }
        match self.masks.get(&id) {
            Some(masks) => masks,
            None => self.masks.insert(id, Box::new(Masks::new(own.hidden(id, source)))),
        }
    }

    fn hidden(&self, id: SourceId, source: &Source) -> Hidden {
        account::touch(source.text.len());
        let parsed = self.forest.parsed(id);
        let native = match parsed {
            Some(Parsed::Native(tree)) => Some(tree),
            _ => None,
        };
        let is_json = secrets::is_json(source, native);
        let value = if is_json { JSON_VALUE } else { VALUE };
        let mut out = Hidden { ranges: List::new(), cuts: List::new(), value };
        match (source.role.get(), parsed) {
            (SourceRole::Given, _) => {
                out.ranges.push(TextRange::new(0, u32::try_from(source.text.len()).unwrap_or(u32::MAX)));
            }
            (role, _) if source.damaged => damaged::collect(self, &source.text, is_json, role, &mut out.ranges),
            (SourceRole::Definitions, Some(Parsed::Native(tree))) => native::definitions(self, tree, &mut out),
            (SourceRole::Definitions, Some(Parsed::Json(tree))) => json::definitions(self, tree, &mut out),
            (_, Some(Parsed::Native(tree))) => native::configuration(self, tree, &mut out),
            (_, Some(Parsed::Json(tree))) => json::configuration(self, tree, &mut out),
            (_, None) => {}
        }
        out
    }
}

/// Returns how secret the most secret place in the configuration can be.
fn strongest(secrets: &Secrets) -> Secrecy {
    secrets.strongest().max(secrets.elsewhere())
}

/// Whether an argument is the default of a variable.
fn is_default(argument: &Argument<'_>) -> bool {
    match argument.spec {
        Some(spec) => matches!(spec.kind, AttrKind::Default | AttrKind::Hcl1Default),
        None => argument.name == words::DEFAULT,
    }
}

impl Masks {
    fn new(hidden: Hidden) -> Self {
        let Hidden { mut ranges, mut cuts, value } = hidden;
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup_by(|next, kept| {
            let apart = next.start > kept.end;
            if !apart {
                kept.end = kept.end.max(next.end);
            }
            !apart
        });
        if cuts.is_empty() {
            cuts.extend(ranges.iter().map(|&range| Cut { range, with: Cow::Borrowed(value) }));
        }
        cuts.charged_sort_by_key(4, |cut| cut.range.start);
        cuts.dedup_by(|next, kept| next.range.start < kept.range.end);
        Self { ranges, cuts }
    }

    /// Returns the cuts that share a byte with `range`.
    pub(super) fn cuts(&self, range: TextRange) -> &[Cut] {
        let first = self.cuts.partition_point(|cut| cut.range.end <= range.start);
        let last = self.cuts.partition_point(|cut| cut.range.start < range.end);
        self.cuts.get(first..last).unwrap_or_default()
    }

    /// Returns the masks that share a byte with `range`; an empty range is treated as the byte after it.
    pub(super) fn within(&self, range: TextRange) -> &[TextRange] {
        let end = range.end.max(range.start.saturating_add(1));
        let first = self.ranges.partition_point(|mask| mask.end <= range.start);
        let last = self.ranges.partition_point(|mask| mask.start < end);
        self.ranges.get(first..last).unwrap_or_default()
    }

    /// Whether any part of `range` is hidden.
    pub(super) fn intersect(&self, range: TextRange) -> bool {
        !self.ranges.is_empty() && !self.within(range).is_empty()
    }
}
