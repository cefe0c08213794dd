//! Files of a folder that are not configuration, such as a text that a function reads: they are read only if an
//! expression asks for them.

use std::path::Path;
use std::sync::PoisonError;

use memchr::memmem;

use super::Failure;
use crate::settings::LimitSettings;
use crate::task::TreeOptions;
use overfold_base::account::{self, Cancel};
use overfold_base::files::FileSet;
use overfold_module::pipeline::{self, Request};
use overfold_module::repository;
use overfold_syntax::Forest;
use overfold_transport as transport;

/// How often the files are evaluated: the content of one may lead to another.
const MAX_ROUNDS: usize = 8;

/// Reads the files in `folder` that expressions ask for. `root` is the module directory below `folder`; in `request`,
/// it may be further down.
///
/// # Errors
/// Fails if such a file cannot be read, or is over a limit.
pub(super) fn include(
    mut files: FileSet,
    request: &Request,
    tree: Option<&TreeOptions>,
    folder: &Path,
    root: &str,
    settings: &LimitSettings,
) -> Result<FileSet, Failure> {
    let prefix = request.root.strip_suffix(root).unwrap_or_default().trim_end_matches('/');
    // The names of all functions that read files contain this word, unless it is spelled with escapes.
    let may_read = |files: &FileSet| files.files().iter().any(|file| memmem::find(&file.bytes, b"file").is_some());
    for _ in 0..MAX_ROUNDS {
        if !files.has_unread() || !may_read(&files) {
            break;
        }
        let (observed, missed) = files.observed();
        // Whatever is wrong with the request is reported when it is carried out.
        let _ = account::open(settings.account(), &Cancel::new(), || match tree {
            Some(tree) => {
                let top = prefix.to_owned();
                let request = repository::Request {
                    module: request.clone(),
                    paths: tree.paths.clone(),
                    top,
                    prefix: String::new(),
                };
                let _ = repository::run(&observed, &request, settings.syntax(), &mut |_| {}, &mut |_| {});
            }
            None => {
                let forest = Forest::new(settings.syntax());
                let _ = pipeline::run(&forest, &observed, request);
            }
        });
        drop(observed);
        let names = std::mem::take(&mut *missed.lock().unwrap_or_else(PoisonError::into_inner));
        // Above the folder, only files that the command line names are known.
        let below = |path: &str| {
            if prefix.is_empty() {
                Some(path.to_owned())
            } else {
                Some(path.strip_prefix(prefix)?.strip_prefix('/')?.to_owned())
            }
        };
        let names: Vec<String> = names.iter().filter_map(|path| below(path)).collect();
        if names.is_empty() {
            break;
        }
        let content = transport::read_missed(folder, names, &settings.transport())
            .map_err(|error| Failure::Message(error.to_string()))?;
        let content = content
            .into_iter()
            .map(|(name, bytes)| (if prefix.is_empty() { name } else { format!("{prefix}/{name}") }, bytes));
        files = files.with_content(&content.collect());
    }
    Ok(files)
}
