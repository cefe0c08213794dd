//! Runs a use case of the engine on a source.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use overfold_base::account;
use overfold_base::stack;
use overfold_dialect as dialect;
use overfold_engine::options::{Dialect, Variables};
use overfold_engine::{Context, Input, PreparedRequest, RequestLimits, UseCase};
use overfold_module::meant_version::{AUTO, VersionFile};
use overfold_module::version_search;
use overfold_source::{self as source, Disk, FileAbove, FolderLinks};
use serde::Deserialize;

use crate::source::Place;
use crate::{Cancel, Error, ErrorKind, Limits, Source};

/// Under which conditions a question runs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Setup {
    pub(crate) limits: Limits,
    pub(crate) cancel: Cancel,
}

/// How a folder is read.
pub(crate) struct FolderRules {
    /// The dialect, which decides what the names of its files are.
    pub(crate) dialect: Option<Dialect>,
    /// The names of other files that the options name.
    pub(crate) named: Vec<String>,
    /// What a link to another folder stands for.
    pub(crate) links: FolderLinks,
}

/// Names definitions files that are given by absolute paths from the opened folder: only these can be in a set of files.
pub(crate) fn name_from_folder(variables: Option<&mut Variables>, disk: Option<&Disk>) {
    let Some(disk) = disk else { return };
    let files = variables.into_iter().flat_map(|variables| &mut variables.args);
    for path in files.filter_map(|arg| arg.var_file.as_mut()).filter(|path| Path::new(path).is_absolute()) {
        if let Some(relative) = disk.relative(Path::new(path)) {
            *path = relative;
        }
    }
}

/// Returns the names, without folders, of the files that options name.
pub(crate) fn file_names(variables: Option<&Variables>, config_file: Option<&str>) -> Vec<String> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let files = variables.into_iter().flat_map(|variables| &variables.args);
    files.filter_map(|arg| arg.var_file.as_deref()).chain(config_file).map(last).collect()
}

impl FolderRules {
    /// Opens a folder, of which nothing is read yet.
    fn open(self, path: &Path, limits: &source::Limits) -> Result<Disk, Error> {
        let Self { dialect, named, links } = self;
        let dialect = dialect.unwrap_or(Dialect::Terraform).name();
        let is_wanted = move |file: &str| {
            dialect::may_read(dialect, file)
                || named.iter().any(|named| named == file)
                || version_search::file_names().any(|version_file| version_file == file)
        };
        Disk::open(path, links, is_wanted, limits).map_err(|error| Error::from_reading(&error))
    }
}

impl Setup {
    /// Asks a use case, and reads its answer. `prepare` checks the options, which may name files of the folder that is read, if
    /// it is one.
    pub(crate) fn ask<U: UseCase<1>, T>(
        &self,
        source: &Source,
        rules: FolderRules,
        form: U::Form,
        prepare: impl FnOnce(&RequestLimits, Option<&Disk>) -> Result<PreparedRequest, Error>,
        read: impl FnOnce(String) -> Result<T, Error>,
    ) -> Result<T, Error> {
        stack::ensure_sufficient(|| {
            account::open(self.limits.account(), self.cancel.inner(), || {
                let limits = self.limits.request();
                let mut prepared;
                let root;
                let (files, is_complete) = match source.place() {
                    Place::Memory(files) => {
                        prepared = prepare(&limits, None)?;
                        root = prepared.request.root.clone();
                        (files.clone(), true)
                    }
                    Place::Folder(path) => {
                        let disk = rules.open(path, &self.limits.source())?;
                        prepared = prepare(&limits, Some(&disk))?;
                        root = prepared.request.root.clone();
                        if prepared.request.version.as_deref() == Some(AUTO) {
                            prepared.request.version_files = version_files(&path.join(&root));
                        }
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
                    return Err(match failure.downcast_ref() {
                        Some(error) => Error::from_reading(error),
                        None => Error::new(ErrorKind::Source, failure.to_string()),
                    });
                }
                let answer = outcome.and_then(|outcome| outcome.answer).map_err(Error::from_refusal)?;
                account::build(answer.len() as u64 / READ_PER_UNIT, READ_GROWTH * answer.len() as u64);
                let answer = String::from_utf8(answer);
                read(answer.map_err(|error| Error::new(ErrorKind::Form, error.to_string()))?)
            })
            .map_err(Error::from_stop)?
        })
    }
}

/// Bytes of an answer that are read with one unit of work.
const READ_PER_UNIT: u64 = 16;

/// The bytes that what is read takes, for each byte of an answer.
const READ_GROWTH: u64 = 4;

/// Returns the files in a folder and above it that name the version of a tool.
fn version_files(folder: &Path) -> Arc<[VersionFile]> {
    let found = source::files_above(folder, version_search::file_names).into_iter();
    found.map(|FileAbove { name, path, content }| VersionFile { name: name.to_owned(), path, content }).collect()
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
