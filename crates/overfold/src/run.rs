//! Runs a use case of the engine on a source.

use std::ops::Range;

use overfold_base::account;
use overfold_base::stack;
use overfold_dialect as dialect;
use overfold_engine::options::{Dialect, Variables};
use overfold_engine::{Context, Input, PreparedRequest, Refusal, RequestLimits, UseCase};
use overfold_module::version_search::file_names;
use overfold_source::{Disk, FolderLinks};
use serde::Deserialize;

use crate::source::Place;
use crate::{Cancel, Error, ErrorKind, Limits, Source};

/// Under which conditions a question runs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Setup {
    pub(crate) limits: Limits,
    pub(crate) cancel: Cancel,
}

/// What of the options decides which files of a folder are read.
pub(crate) struct FileChoice<'o> {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) variables: Option<&'o Variables>,
    pub(crate) config_file: Option<&'o str>,
}

impl FileChoice<'_> {
    /// Returns what chooses files by their names.
    fn into_filter(self) -> impl Fn(&str) -> bool + Send + Sync + 'static {
        let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let files = self.variables.into_iter().flat_map(|variables| &variables.args);
        let files = files.filter_map(|arg| arg.var_file.as_deref());
        let named: Vec<String> = files.chain(self.config_file).map(last).collect();
        let dialect = self.dialect.unwrap_or(Dialect::Terraform).name();
        move |file| {
            dialect::may_read(dialect, file)
                || named.iter().any(|named| named == file)
                || file_names().any(|version_file| version_file == file)
        }
    }
}

impl Setup {
    /// Returns the answer of a use case, as bytes. `prepare` checks the options.
    pub(crate) fn answer<U: UseCase<1>>(
        &self,
        source: &Source,
        choice: FileChoice<'_>,
        form: U::Form,
        prepare: impl FnOnce(&RequestLimits) -> Result<PreparedRequest, Refusal>,
    ) -> Result<Vec<u8>, Error> {
        let limits = self.limits.request();
        stack::ensure_sufficient(|| {
            account::open(self.limits.account(), self.cancel.inner(), || {
                let mut prepared = prepare(&limits).map_err(Error::from_refusal)?;
                let root = prepared.request.root.clone();
                let (files, is_complete) = match source.place() {
                    Place::Memory(files) => (files.clone(), true),
                    Place::Folder(path) => {
                        let disk =
                            Disk::open(path, FolderLinks::InPlace, choice.into_filter(), &self.limits.source());
                        let disk = disk.map_err(|error| Error::from_reading(&error))?;
                        let top = disk.root();
                        let parts: Vec<&str> = [&*top, &*root].into_iter().filter(|part| !part.is_empty()).collect();
                        prepared.request.root = parts.join("/");
                        (disk.into_files(), false)
                    }
                };
                let input = Input { files: &files, prepared: &prepared, root: &root };
                let mut context =
                    Context { limits: limits.syntax(), observer: &mut (), is_complete, with_findings: false };
                let outcome = U::run([input], form, &mut context);
                if let Some(failure) = files.take_failure() {
                    return Err(Error::new(ErrorKind::Source, failure.to_string()));
                }
                outcome.and_then(|outcome| outcome.answer).map_err(Error::from_refusal)
            })
            .map_err(Error::from_stop)?
        })
    }
}

/// Reads a part of an answer. The caller has the stack that its depth needs.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    // An answer is as deep as the texts that it shows, which are limited.
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader)
        .map_err(|error| Error::new(ErrorKind::Form, format!("the answer cannot be read: {error}")))
}

/// Returns where a part of a text stands in it, half open, in bytes.
pub(crate) fn range_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}
