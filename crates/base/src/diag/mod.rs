//! Diagnostics: the diagnostics that every stage reports. The lowest layer; knows no dialect, no syntax and no HTTP.

mod phase;
mod reporting;
mod secrecy;
mod severities;
mod span;

use crate::account;
use crate::named;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use phase::Phase;
pub use reporting::{Reporting, Verdict};
pub use secrecy::{Quotes, Secrecy};
pub use severities::{Severities, Tally};
pub use span::{SourceId, Span, TextRange};

named! {
    /// How serious a diagnostic is.
    // The worst comes first.
    #[derive(PartialOrd, Ord, Hash, Default)]
    pub enum Severity {
        /// The tool would reject the configuration.
        #[default]
        Error = "error" or "err",
        /// The tool would continue, with a warning.
        Warning = "warning" or "warn",
        /// A note by overfold about something that the tool does silently.
        Info = "info" or "note" or "notice" or "all",
    }
}

impl Severity {
    /// Returns the word for people, as compilers and SARIF use it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "note",
            _ => self.name(),
        }
    }
}

named! {
    /// Who would report a diagnostic.
    #[derive(Hash)]
    pub enum Origin {
        /// The real tool reports this for this input, at this stage.
        Tool = "tool",
        /// The tool reports it only in a later command, or once errors that it reports now are fixed.
        ToolLater = "tool-later",
        /// Only overfold reports it.
        Overfold = "overfold",
    }
}

impl Origin {
    /// Returns the origin of a finding that the tool cannot have reached yet.
    #[must_use]
    pub const fn later(self) -> Self {
        match self {
            Self::Tool | Self::ToolLater => Self::ToolLater,
            Self::Overfold => Self::Overfold,
        }
    }

    /// Returns the usual origin of a code; `marks` are the words after the severity in its row.
    #[doc(hidden)]
    pub const fn usual(severity: Severity, marks: &[&str]) -> Self {
        match severity {
            Severity::Info => Self::Overfold,
            Severity::Error | Severity::Warning if has(marks, "ours") => Self::Overfold,
            Severity::Error | Severity::Warning => Self::Tool,
        }
    }
}

/// How much of a module has to be read to find a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reach {
    /// The text of one file outside its expressions; the expressions themselves are not in doubt.
    Structure,
    /// The text of one expression; the finding puts the expression in doubt.
    Expression,
    /// One file.
    File,
    /// The module as a whole.
    Module,
}

impl Reach {
    /// Returns the reach given after the severity in a row of codes, or `otherwise` if the row gives none.
    #[doc(hidden)]
    pub const fn usual(otherwise: Self, marks: &[&str]) -> Self {
        if has(marks, "structure") {
            Self::Structure
        } else if has(marks, "expression") {
            Self::Expression
        } else if has(marks, "file") {
            Self::File
        } else {
            otherwise
        }
    }
}

/// Whether `wanted` is among `marks`; strings cannot be compared with `==` in constant evaluation.
const fn has(mut marks: &[&str], wanted: &str) -> bool {
    while let [mark, rest @ ..] = marks {
        let (mut mark, mut wanted) = (mark.as_bytes(), wanted.as_bytes());
        while let ([a, mark_rest @ ..], [b, wanted_rest @ ..]) = (mark, wanted)
            && *a == *b
        {
            (mark, wanted) = (mark_rest, wanted_rest);
        }
        if mark.is_empty() && wanted.is_empty() {
            return true;
        }
        marks = rest;
    }
    false
}

/// A kind of diagnostic: one row of a stage's table of codes.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// Stable name, `stage/problem`, in kebab-case. It names the problem, never the remedy.
    pub id: &'static str,
    /// The tool's short title, or one of our own; upper-case words are placeholders for the parts that vary.
    pub title: &'static str,
    /// Usual severity.
    pub severity: Severity,
    /// Usual origin.
    pub origin: Origin,
    /// How much has to be read to find it.
    pub reach: Reach,
    /// What the code means and what to do about it, in one or two sentences of our own.
    pub about: &'static str,
}

impl Code {
    /// Returns the stage that the id begins with.
    pub fn stage(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(stage, _)| stage)
    }
}

/// Declares a stage's codes as constants, together with the list `ALL` of them.
///
/// Notes originate from overfold, everything else from the tool; `ours` after the severity marks a code as overfold's
/// nevertheless. `structure`, `expression` and `file` set how much has to be read to find the problem ([`Reach`]);
/// without one of them it is the whole module, or the value of `reach` at the start of the table.
///
/// ```text
/// codes! {
///     reach Expression;
///     UNCLOSED_BLOCK = "syntax/unclosed-block", Error structure, "Unclosed configuration block",
///         "A block is opened but the file ends before its closing brace.";
/// }
/// ```
#[macro_export]
macro_rules! codes {
    (reach $reach:ident; $($rows:tt)*) => { $crate::codes!(@table $reach $($rows)*); };
    (@table $reach:ident
        $($name:ident = $id:literal, $severity:ident $($mark:ident)*, $title:literal, $about:literal;)*
    ) => {
        $(
            // As code, so that brackets in a title do not become a link.
            #[doc = concat!("`", $id, "`: `", $title, "`.")]
            pub static $name: $crate::diag::Code = $crate::diag::Code {
                id: $id, title: $title, severity: $crate::diag::Severity::$severity,
                origin: $crate::diag::Origin::usual($crate::diag::Severity::$severity, &[$(stringify!($mark)),*]),
                reach: $crate::diag::Reach::usual($crate::diag::Reach::$reach, &[$(stringify!($mark)),*]),
                about: $about,
            };
        )*
        /// Every code of this stage, in table order.
        pub static ALL: &[&$crate::diag::Code] = &[$(&$name),*];
    };
    ($($rows:tt)*) => { $crate::codes!(@table Module $($rows)*); };
}

/// A further place that belongs to a diagnostic.
#[derive(Clone, Debug)]
pub struct Label {
    /// A few words in lower case that describe what is there.
    pub message: Cow<'static, str>,
    /// Where it is.
    pub span: Span,
}

/// A change to the text that resolves a diagnostic mechanically.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The text to replace.
    pub span: Span,
    /// The replacement.
    pub text: Cow<'static, str>,
}

/// One finding. A copy of it is charged.
#[derive(Debug)]
pub struct Diagnostic {
    /// The kind of the finding; its id is stable.
    pub code: &'static Code,
    /// The phase in which it was found, set by the first sink that has one.
    pub phase: Option<Phase>,
    /// How serious it is.
    pub severity: Severity,
    /// Who would report it.
    pub origin: Origin,
    /// The tool's own short title, if there is one.
    pub summary: Cow<'static, str>,
    /// One or two sentences of our own: what is wrong, why, and what to do.
    pub detail: Cow<'static, str>,
    /// Where it is. `None` if the tool reports no place.
    pub span: Option<Span>,
    /// The construct around `span`, if showing more of it helps.
    pub context: Option<Span>,
    /// The address of the object concerned, in the tool's notation. All findings about one object may share it.
    pub address: Option<Arc<str>>,
    /// Further places.
    pub related: Vec<Label>,
    /// Whose values the texts may quote. The code that shows the finding decides whether they may be shown.
    pub quotes: Quotes,
    /// The detail without its quotations, if something useful remains.
    pub withheld: Option<Cow<'static, str>>,
    /// The single change that resolves it, if that is mechanical.
    pub fix: Option<Box<Fix>>,
}

impl Clone for Diagnostic {
    fn clone(&self) -> Self {
        let texts = self.texts() + self.summary.len() + self.fix.as_ref().map_or(0, |fix| fix.text.len());
        account::copy(size_of::<Self>() + texts);
        Self {
            code: self.code,
            phase: self.phase,
            severity: self.severity,
            origin: self.origin,
            summary: self.summary.clone(),
            detail: self.detail.clone(),
            span: self.span,
            context: self.context,
            address: self.address.clone(),
            related: self.related.clone(),
            quotes: self.quotes.clone(),
            withheld: self.withheld.clone(),
            fix: self.fix.clone(),
        }
    }
}

impl Diagnostic {
    /// Returns the phase that it counts as: the first in which files are looked at, where no sink set another.
    pub fn phase(&self) -> Phase {
        self.phase.unwrap_or_default()
    }

    /// Returns the bytes of its long texts: all but title, fix, and the address, which others share.
    fn texts(&self) -> usize {
        let labels = self.related.iter().map(|label| size_of::<Label>() + label.message.len());
        self.detail.len() + self.withheld.as_ref().map_or(0, |detail| detail.len()) + labels.sum::<usize>()
    }

    /// Creates a finding that the tool itself would report, with the code's title and severity. A detail longer than
    /// [`Diagnostics::TEXT_CAP`] bytes loses its middle.
    pub fn tool(code: &'static Code, span: impl Into<Option<Span>>, detail: impl Into<Cow<'static, str>>) -> Self {
        // Findings are collected in lists, too, before they reach a sink.
        let mut detail = detail.into();
        account::touch(detail.len() * 2);
        shorten(&mut detail);
        Self {
            code,
            phase: None,
            severity: code.severity,
            origin: Origin::Tool,
            summary: Cow::Borrowed(code.title),
            detail,
            span: span.into(),
            context: None,
            address: None,
            related: Vec::new(),
            quotes: Quotes::Nothing,
            withheld: None,
            fix: None,
        }
    }

    /// Creates a finding of overfold's own, which the tool would not report for this input.
    pub fn ours(code: &'static Code, span: impl Into<Option<Span>>, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { origin: Origin::Overfold, ..Self::tool(code, span, detail) }
    }

    /// Replaces the code's title: with its varying parts filled in, or with the wording of one version.
    #[must_use]
    pub fn titled(mut self, summary: impl Into<Cow<'static, str>>) -> Self {
        self.summary = summary.into();
        self
    }

    /// Adds the construct around the place.
    #[must_use]
    pub fn within(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// Adds the address of the object concerned.
    #[must_use]
    pub fn about(mut self, address: impl Into<Arc<str>>) -> Self {
        let address = address.into();
        account::grow(address.len() as u64);
        self.address = Some(address);
        self
    }

    /// Declares whose values the texts may quote.
    #[must_use]
    pub fn quoting(mut self, quotes: Quotes) -> Self {
        self.quotes = quotes;
        self
    }

    /// Adds the detail to show when the quoted values may not be shown.
    #[must_use]
    pub fn with_redacted_detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.withheld = Some(detail.into());
        self
    }

    /// Adds the change that resolves it: `text` replaces the text at `span`.
    #[must_use]
    pub fn fixed_by(mut self, span: Span, text: impl Into<Cow<'static, str>>) -> Self {
        self.fix = Some(Box::new(Fix { span, text: text.into() }));
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn and(mut self, message: impl Into<Cow<'static, str>>, span: Span) -> Self {
        self.related.push(Label { message: message.into(), span });
        self
    }
}

/// The sink to which all stages of one request report, in order of discovery. Findings in it are not changed any more.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// The phase of findings that are pushed; `None` leaves it to the sink that later receives them.
    phase: Option<Phase>,
    /// Whether the tool itself reports an error.
    refused: bool,
    errors: usize,
    /// The number of findings that were counted but not kept, by code and severity.
    dropped: BTreeMap<(&'static str, Severity), usize>,
}

impl Diagnostics {
    /// The number of findings that are kept. Further ones are only counted: an input full of mistakes must not blow up
    /// the answer.
    pub const CAP: usize = 20_000;

    /// The number of bytes kept of a title or of a detail.
    pub const TEXT_CAP: usize = 8 << 10;

    /// Returns an empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty sink for findings of this phase.
    pub fn in_phase(phase: Phase) -> Self {
        Self { phase: Some(phase), ..Self::default() }
    }

    /// Sets the phase of everything found from here on.
    pub const fn enter(&mut self, phase: Phase) {
        self.phase = Some(phase);
    }

    /// Takes a finding of the current phase. Beyond [`Self::CAP`] it is only counted; a title longer than
    /// [`Self::TEXT_CAP`] bytes loses its middle.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.store(Diagnostic { phase: self.phase, ..diagnostic });
    }

    /// Takes a finding that belongs to a phase other than the current one.
    pub fn push_in(&mut self, phase: Phase, diagnostic: Diagnostic) {
        self.store(Diagnostic { phase: Some(phase), ..diagnostic });
    }

    fn store(&mut self, mut diagnostic: Diagnostic) {
        shorten(&mut diagnostic.summary);
        shorten(&mut diagnostic.detail);
        let texts = diagnostic.texts();
        account::work(8);
        account::touch(texts);
        account::grow((size_of::<Diagnostic>() + texts) as u64);
        self.push_existing(diagnostic);
    }

    /// Takes a finding that has been in this or another sink before. It keeps its phase, if it has one.
    pub fn push_existing(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.phase = diagnostic.phase.or(self.phase);
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            self.refused |= diagnostic.origin == Origin::Tool;
        }
        if self.list.len() < Self::CAP {
            self.list.push(diagnostic);
        } else {
            *self.dropped.entry((diagnostic.code.id, diagnostic.severity)).or_default() += 1;
        }
    }

    /// Whether no finding is kept.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether an error has been reported, even one that was not kept.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether the tool itself reports an error among the findings so far, even one that was not kept.
    pub const fn is_refused(&self) -> bool {
        self.refused
    }

    /// Returns the number of findings that were counted but not kept.
    pub fn dropped(&self) -> usize {
        self.dropped.values().sum()
    }

    /// Iterates over the findings kept so far, in order of discovery.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Applies `change` to every finding: the visibility pass at the end of a run.
    #[must_use]
    pub fn map(mut self, mut change: impl FnMut(&mut Diagnostic)) -> Self {
        self.list.iter_mut().for_each(&mut change);
        self
    }

    /// Removes the findings that `keep` refuses.
    pub fn retain(&mut self, mut keep: impl FnMut(&Diagnostic) -> bool) {
        let kept: Vec<Diagnostic> = std::mem::take(&mut self.list).into_iter().filter(|found| keep(found)).collect();
        let dropped = std::mem::take(&mut self.dropped);
        *self = Self { phase: self.phase, ..Self::default() };
        for finding in kept {
            self.push_existing(finding);
        }
        self.count_dropped(dropped);
    }

    /// Moves all findings of `other` into this sink; each keeps its phase, if it has one.
    pub fn append(&mut self, other: Self) {
        if other.list.is_empty() && other.dropped.is_empty() {
            return;
        }
        for diagnostic in other.list {
            self.push_existing(diagnostic);
        }
        self.refused |= other.refused;
        self.count_dropped(other.dropped);
    }

    /// Counts findings that another sink counted but did not keep.
    fn count_dropped(&mut self, dropped: BTreeMap<(&'static str, Severity), usize>) {
        if dropped.is_empty() {
            return;
        }
        for ((code, severity), count) in dropped {
            if severity == Severity::Error {
                self.errors += count;
            }
            *self.dropped.entry((code, severity)).or_default() += count;
        }
    }

    /// Takes several findings.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            self.push(finding);
        }
    }

    /// Returns the findings, in order of discovery.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}

/// Removes the middle of a long text: computed values may be of any length, and messages quote them.
fn shorten(text: &mut Cow<'static, str>) {
    const HALF: usize = Diagnostics::TEXT_CAP / 2;
    if text.len() <= Diagnostics::TEXT_CAP {
        return;
    }
    let (head, tail) = (text.floor_char_boundary(HALF), text.floor_char_boundary(text.len() - HALF));
    let (Some(start), Some(end)) = (text.get(..head), text.get(tail..)) else { return };
    let shortened = format!("{start}… ({} bytes left out) …{end}", tail - head);
    *text = Cow::Owned(shortened);
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
