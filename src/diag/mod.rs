//! Diagnostics: what every stage reports into. The ground floor; knows no dialect, no syntax and no HTTP.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod phase;
mod reporting;
mod secrecy;
mod span;

use crate::account;
use std::borrow::Cow;

pub use phase::Phase;
pub use reporting::{Reporting, Verdict};
pub use secrecy::{Quotes, Secrecy};
pub use span::{SourceId, Span, TextRange};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The tool would refuse the configuration.
    Error,
    /// The tool would go on, with a word of warning.
    Warning,
    /// A note of ours about something that the tool does silently.
    Info,
}

/// Who would say it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The real tool reports this for this input, at this stage.
    Tool,
    /// Ours: a note, or a problem that the tool would show only after earlier ones are fixed.
    Overfold,
}

impl Origin {
    /// The usual origin of a code; `marks` is what its row says after the severity.
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
    /// The text of one file, around its expressions: they are not in doubt.
    Structure,
    /// The text of one expression, which is in doubt then.
    Expression,
    /// One file.
    File,
    /// The module as a whole.
    Module,
}

impl Reach {
    /// What a row of codes says after the severity; `otherwise` where it says nothing about it.
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

/// Whether a word is among others; constant evaluation has no comparison of strings.
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
    /// Stable name, `stage/problem`, kebab-case. It names the problem, never the remedy.
    pub id: &'static str,
    /// The tool's short title, or ours; upper-case words stand for the parts that vary.
    pub title: &'static str,
    /// Usual severity.
    pub severity: Severity,
    /// Usual origin.
    pub origin: Origin,
    /// How much has to be read to find it.
    pub reach: Reach,
    /// What the code means and what to do about it, for people: one or two sentences of our own.
    pub about: &'static str,
}

/// Declares a stage's codes as constants together with the list `ALL` of them.
///
/// Notes come from us, everything else from the tool; `ours` after the severity says that this one comes from us too.
/// `structure`, `expression` and `file` say how much has to be read to find it ([`Reach`]); without one it is the
/// module, or what stands behind `reach` in front of the table.
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
            // As code, since a text about brackets is no link.
            #[doc = concat!("`", $id, "`: `", $title, "`.")]
            pub static $name: $crate::diag::Code = $crate::diag::Code {
                id: $id, title: $title, severity: $crate::diag::Severity::$severity,
                origin: $crate::diag::Origin::usual($crate::diag::Severity::$severity, &[$(stringify!($mark)),*]),
                reach: $crate::diag::Reach::usual($crate::diag::Reach::$reach, &[$(stringify!($mark)),*]),
                about: $about,
            };
        )*
        /// Every code of this stage, in the order of the table.
        pub static ALL: &[&$crate::diag::Code] = &[$(&$name),*];
    };
    ($($rows:tt)*) => { $crate::codes!(@table Module $($rows)*); };
}

/// A second place that belongs to a diagnostic.
#[derive(Clone, Debug)]
pub struct Label {
    /// What is there, a few words in lower case.
    pub message: Cow<'static, str>,
    /// Where it is.
    pub span: Span,
}

/// A change of the text that resolves a diagnostic without anybody having to think about it.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: Cow<'static, str>,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The kind; ids are stable.
    pub code: &'static Code,
    /// When it was found: what the first sink says that has a phase.
    pub phase: Option<Phase>,
    /// How bad it is.
    pub severity: Severity,
    /// Whether the real tool would report it at this stage.
    pub origin: Origin,
    /// The tool's own short title where it has one.
    pub summary: Cow<'static, str>,
    /// One or two sentences of our own: what is wrong, why, what to do.
    pub detail: Cow<'static, str>,
    /// Where it is. `None` where the tool gives no place.
    pub span: Option<Span>,
    /// The construct around `span`, where it helps to show more.
    pub context: Option<Span>,
    /// The address of the object it is about, in the tool's form.
    pub address: Option<String>,
    /// Further places.
    pub related: Vec<Label>,
    /// Whose values the texts may quote. Who shows the finding decides whether they may be shown.
    pub quotes: Quotes,
    /// The detail without what it quotes, where there is something left to say.
    pub withheld: Option<Cow<'static, str>>,
    /// The one change that resolves it, where that is mechanical.
    pub fix: Option<Box<Fix>>,
}

impl Diagnostic {
    /// A finding that the tool itself would report, with the code's title and severity.
    pub fn tool(code: &'static Code, span: impl Into<Option<Span>>, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            phase: None,
            severity: code.severity,
            origin: Origin::Tool,
            summary: Cow::Borrowed(code.title),
            detail: detail.into(),
            span: span.into(),
            context: None,
            address: None,
            related: Vec::new(),
            quotes: Quotes::Nothing,
            withheld: None,
            fix: None,
        }
    }

    /// A finding of ours that the tool would not report for this input.
    pub fn ours(code: &'static Code, span: impl Into<Option<Span>>, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { origin: Origin::Overfold, ..Self::tool(code, span, detail) }
    }

    /// With a title other than the code's: its varying parts filled in, or a version's own wording.
    #[must_use]
    pub fn titled(mut self, summary: impl Into<Cow<'static, str>>) -> Self {
        self.summary = summary.into();
        self
    }

    /// With the construct around the place.
    #[must_use]
    pub fn within(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// With the address of the object it is about.
    #[must_use]
    pub fn about(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// With whose values the texts may quote.
    #[must_use]
    pub fn quoting(mut self, quotes: Quotes) -> Self {
        self.quotes = quotes;
        self
    }

    /// With the detail to show where what the texts quote may not be shown.
    #[must_use]
    pub fn or_withheld(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.withheld = Some(detail.into());
        self
    }

    /// With the change that resolves it: `text` in place of what stands at `span`.
    #[must_use]
    pub fn fixed_by(mut self, span: Span, text: impl Into<Cow<'static, str>>) -> Self {
        self.fix = Some(Box::new(Fix { span, text: text.into() }));
        self
    }

    /// With one more place.
    #[must_use]
    pub fn and(mut self, message: impl Into<Cow<'static, str>>, span: Span) -> Self {
        self.related.push(Label { message: message.into(), span });
        self
    }
}

/// The sink that all stages of one request report into, in order of discovery. What is in it is not changed any more.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Of what is pushed; `None`: that of the sink to which everything is moved later.
    phase: Option<Phase>,
    /// The tool itself reports an error.
    refused: bool,
    errors: usize,
    warnings: usize,
    dropped: usize,
}

impl Diagnostics {
    /// More findings than this are counted, not kept: an input made of mistakes must not blow up the answer.
    pub const CAP: usize = 20_000;

    /// Bytes of a title or of a detail that are kept.
    pub const TEXT_CAP: usize = 8 << 10;

    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty sink that takes findings of this phase.
    pub fn in_phase(phase: Phase) -> Self {
        Self { phase: Some(phase), ..Self::default() }
    }

    /// What is found from here on belongs to this phase.
    pub const fn enter(&mut self, phase: Phase) {
        self.phase = Some(phase);
    }

    /// Takes a finding of the current phase. Past [`Self::CAP`] it is only counted; a text in it that is longer than
    /// [`Self::TEXT_CAP`] bytes loses its middle.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.charged(Diagnostic { phase: self.phase, ..diagnostic });
    }

    /// Takes a finding that belongs to another phase than the current one.
    pub fn push_in(&mut self, phase: Phase, diagnostic: Diagnostic) {
        self.charged(Diagnostic { phase: Some(phase), ..diagnostic });
    }

    fn charged(&mut self, mut diagnostic: Diagnostic) {
        account::work(8);
        account::touch(diagnostic.detail.len() * 2);
        account::grow((size_of::<Diagnostic>() + diagnostic.detail.len().min(Self::TEXT_CAP)) as u64);
        shorten(&mut diagnostic.summary);
        shorten(&mut diagnostic.detail);
        self.put_back(diagnostic);
    }

    /// Takes a finding that was in a sink before, in this one or another. It keeps its phase where it has one.
    pub fn put_back(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.phase = diagnostic.phase.or(self.phase);
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            self.refused |= diagnostic.origin == Origin::Tool;
        }
        if diagnostic.severity == Severity::Warning {
            self.warnings += 1;
        }
        if self.list.len() < Self::CAP {
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether an error has been reported, kept or not.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether a warning has been reported, kept or not.
    pub fn has_warnings(&self) -> bool {
        self.warnings > 0
    }

    /// Whether the tool itself reports an error among what has been found so far, kept or not.
    pub const fn is_refused(&self) -> bool {
        self.refused
    }

    /// How many findings were counted but not kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The findings kept so far, in order of discovery.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Every finding as `change` leaves it: the visibility pass that ends a run.
    #[must_use]
    pub fn map(mut self, mut change: impl FnMut(&mut Diagnostic)) -> Self {
        self.list.iter_mut().for_each(&mut change);
        self
    }

    /// Moves everything out of `other` into this sink; each finding keeps its phase, where it has one.
    pub fn append(&mut self, other: Self) {
        for diagnostic in other.list {
            self.put_back(diagnostic);
        }
        self.dropped += other.dropped;
    }

    /// Takes several findings.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            self.push(finding);
        }
    }

    /// The findings, in order of discovery.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}

/// Takes the middle out of a long text: values that are computed may be of any length, and messages quote them.
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
