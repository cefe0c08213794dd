//! The seam between what can be asked and those who ask.

use std::borrow::Cow;

use crate::input::{Input, PreparedRequest};
use crate::limits::RequestLimits;
use crate::options::RequestOptions;
use crate::refusal::Refusal;
use overfold_base::diag::Tally;
use overfold_base::files::FileSet;
use overfold_module::pipeline::Report;
use overfold_syntax::SyntaxLimits;

/// Something that can be asked about one set of files, or about two that are compared.
pub trait UseCase<const SIDES: usize> {
    /// The name, which tells its answers from those of others.
    const NAME: &'static str;

    /// The options of a side.
    type Options: RequestOptions;

    /// The forms in which it can answer.
    type Form: AnswerForm;

    /// What is decided besides the answer.
    type Verdict: Copy;

    /// Checks the options of a side, and fills in defaults.
    ///
    /// # Errors
    /// Refuses values that are not valid, options that contradict each other, and what is not part of this release.
    fn prepare(options: Self::Options, limits: &RequestLimits) -> Result<PreparedRequest, Refusal>;

    /// Answers.
    ///
    /// # Errors
    /// Refuses options that do not fit the files; with two sides, the pointer begins with the side.
    fn run(
        sides: [Input<'_>; SIDES],
        form: Self::Form,
        context: &mut Context<'_>,
    ) -> Result<Outcome<Self::Verdict>, Refusal>;
}

/// The form of an answer.
pub trait AnswerForm: Copy + Send + 'static {
    /// Returns the name, which tells this form from the others of the use case.
    fn name(self) -> &'static str;

    /// Returns the media type of the bytes, without parameters.
    fn media_type(self) -> &'static str;

    /// Returns the media type with its parameters.
    fn content_type(self) -> Cow<'static, str> {
        let media_type = self.media_type();
        if media_type.starts_with("text/") {
            Cow::Owned(format!("{media_type}; charset=utf-8"))
        } else {
            Cow::Borrowed(media_type)
        }
    }
}

/// Under which conditions a use case runs.
pub struct Context<'c> {
    /// The limits that apply when files are parsed.
    pub limits: SyntaxLimits,
    /// Who watches.
    pub observer: &'c mut dyn Observer,
    /// Whether the files are all there are, as in an upload: then a variable definitions file that is named and not among
    /// them makes the request impossible. Where they were read from a disk, it is what the tool reports.
    pub is_complete: bool,
    /// Whether the diagnostics are wanted as text beside the answer, too.
    pub with_findings: bool,
}

/// An answer and the facts about it.
#[derive(Debug)]
pub struct Outcome<V> {
    /// The answer in the form that was asked for; or why that form has nothing to say of this configuration.
    pub answer: Result<Vec<u8>, Refusal>,
    /// What is known of it; with two sides, of both together.
    pub facts: Facts,
    /// Whether a side has a finding for which its options ask to fail.
    pub fails: bool,
    /// The diagnostics as text for people, if the context wants them beside the answer; empty if there is none.
    pub findings: String,
    /// Whether there is nothing to answer about: modules without a configuration file in any of them; of two sides, none in
    /// either, or no root module to plan.
    pub is_empty: bool,
    /// Whether the answer is limited to some files, and these belong to nothing.
    pub reaches_nothing: bool,
    /// What is decided besides the answer.
    pub verdict: V,
}

/// What is known of an answer besides its bytes: for logs, statuses and exit codes.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Whether the configuration is free of errors.
    pub valid: bool,
    /// The diagnostics, by the severity with which they are shown.
    pub tally: Tally,
    /// The number of files of the input.
    pub files: u64,
}

impl Facts {
    /// Returns the facts of a set of files about which nothing has been said yet.
    pub(crate) fn new(files: &FileSet) -> Self {
        Self { valid: true, tally: Tally::default(), files: files.count() }
    }

    /// Adds the outcome of one module.
    pub(crate) fn add(&mut self, report: &Report<'_>) {
        self.valid &= !report.diagnostics.has_errors();
        self.tally += report.tally();
    }
}

/// Watches a use case at work.
pub trait Observer {
    /// A stage begins: one of [`overfold_module::pipeline::Stage`], or `output`.
    fn stage(&mut self, _name: &'static str) {}

    /// Of the parts of the work (module directories, root modules, tables of versions), so many are done. `total` is `None`
    /// where nobody knows in advance how many there are.
    fn progress(&mut self, _done: usize, _total: Option<usize>) {}

    /// A module has been run for the first time. `side` is 0, or 1 for the second side of a comparison.
    fn module(&mut self, _side: usize, _report: &Report<'_>) {}
}

/// Nobody watches.
impl Observer for () {}
