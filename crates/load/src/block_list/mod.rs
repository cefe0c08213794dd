//! A module as the list of its blocks: they are checked against no schema, so every block, argument and nested block is
//! kept, whether a table knows it or not (tflint.md, sections 1, 2 and 5).

mod checks;
pub mod codes;
mod expansion;
mod names;
mod inferred_schema;
mod read;

use crate::decode;
use crate::discover;
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, SourceId};
use overfold_base::files::FileSet;
use overfold_dialect::{DialectSpec, FileSyntax};
use overfold_model::config::{Block, Element, FileEntry, FileRole};
use overfold_syntax::Forest;

use inferred_schema::InferredSchema;

pub use expansion::{Expansion, template_fault};

/// The parsed files of a module that is a list of blocks.
pub(crate) struct Listing {
    /// Every file of the module directory.
    pub files: Vec<FileEntry>,
    sources: Vec<Source>,
    dialect: &'static DialectSpec,
}

/// One configuration file.
struct Source {
    id: SourceId,
    over: bool,
}

/// The blocks of one file.
#[derive(Debug)]
pub(crate) struct ListedFile<'f> {
    /// Whether this is an override file.
    pub over: bool,
    /// Its top-level blocks in source order.
    pub blocks: Vec<Block<'f>>,
}

impl Listing {
    /// Parses every configuration file among the `entries` of `root`, and checks the headers of those blocks that the
    /// tool examines when it loads a module. Primary files come first, each group in order of application.
    pub(crate) fn read(
        files: &FileSet,
        root: &str,
        entries: Vec<FileEntry>,
        dialect: &'static DialectSpec,
        forest: &Forest,
        out: &mut Diagnostics,
    ) -> Self {
        out.enter(Phase::Reading);
        let mut sources = Vec::new();
        for entry in &entries {
            let over = match entry.role {
                FileRole::Primary => false,
                FileRole::Override => true,
                FileRole::Ignored(why) if why == discover::NOT_READ => {
                    let detail = format!("{:?}: {why}.", entry.name);
                    out.push(Diagnostic::ours(&codes::NOT_READ, None, detail));
                    continue;
                }
                _ => continue,
            };
            let Some(file) = files.get(&discover::path_in(root, &entry.name)) else { continue };
            let id = match entry.syntax {
                Some(FileSyntax::Json) => forest.parse_json(&entry.name, file.bytes.clone(), out),
                _ => forest.parse_native(&entry.name, file.bytes.clone(), out),
            };
            sources.push(Source { id, over });
        }
        let listing = Self { files: entries, sources, dialect };
        out.enter(Phase::Headers);
        for source in &listing.sources {
            checks::headers(forest, dialect, source.id, out);
        }
        listing
    }

    /// Infers a schema from all files.
    fn schema(&self, forest: &Forest) -> InferredSchema {
        let mut schema = InferredSchema::new();
        for source in &self.sources {
            schema.file(forest, source.id);
        }
        schema
    }

    /// Reads the blocks of every file as written.
    pub(crate) fn as_written<'f>(&self, forest: &'f Forest, out: &mut Diagnostics) -> Vec<ListedFile<'f>> {
        // Native syntax itself distinguishes blocks from arguments.
        let json = self.sources.iter().any(|source| forest.json(source.id).is_some());
        let schema = if json { self.schema(forest) } else { InferredSchema::new() };
        self.sources
            .iter()
            .map(|source| {
                let reader = read::Reader { forest, broken: decode::broken(forest, source.id) };
                let blocks = reader.file(source.id, schema.top(self.dialect), out);
                ListedFile { over: source.over, blocks }
            })
            .collect()
    }

    /// Like [`Self::as_written`], but with `count`, `for_each` and `dynamic` expanded, file by file.
    pub(crate) fn expanded<'f>(
        &self,
        forest: &'f Forest,
        expansion: &mut Expansion<'f, '_>,
        out: &mut Diagnostics,
    ) -> Vec<ListedFile<'f>> {
        let schema = self.schema(forest);
        self.sources
            .iter()
            .map(|source| {
                let top = schema.top(self.dialect);
                let blocks = expansion.file(source.id, decode::broken(forest, source.id), top, out);
                ListedFile { over: source.over, blocks }
            })
            .collect()
    }
}

/// Checks the variables of a merged list and returns them as elements (tflint.md, section 1).
pub(crate) fn variables<'f>(blocks: &[Block<'f>], forest: &'f Forest, out: &mut Diagnostics) -> Vec<Element<'f>> {
    out.enter(Phase::Declarations);
    checks::variables(blocks, forest, out)
}
