//! The module calls of a merged module, and where each leads.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::HashMap;

use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostics, Secrecy};
use overfold_base::files::FileSet;
use overfold_dialect::{ObjectKind, words};
use overfold_eval::{self as eval, FileAccess};
use overfold_load::loading::Report;
use overfold_model::config::{Argument, Block, DecodedArgument};
use overfold_model::language::module_source::{self, SourceKind};

/// A module call.
#[derive(Debug)]
pub struct Call<'r> {
    /// The name of the call; its address is `module.NAME`.
    pub name: &'r str,
    /// Its merged block.
    pub block: &'r Block<'r>,
    /// The argument that names the source, if present.
    pub source: Option<&'r Argument<'r>>,
    /// The source as text; `None` if it cannot be read or evaluated.
    pub text: Option<Arc<str>>,
    /// The secrecy of the values that the text may contain.
    pub secrecy: Secrecy,
    /// The kind of source; `None` if the text is not a valid source.
    pub kind: Option<SourceKind>,
    /// Where it leads.
    pub target: Target,
}

/// Where a call leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Something that is not in the upload: a registry, a download, or a folder outside of it.
    Elsewhere,
    /// A directory of the upload: its path from the top, without links in it.
    Directory(Arc<str>),
    /// A path within the upload where there is no directory.
    Nothing(Arc<str>),
}

impl Target {
    /// The target directory, if it is in the upload.
    pub fn directory(&self) -> Option<&str> {
        match self {
            Self::Directory(path) => Some(path),
            Self::Elsewhere | Self::Nothing(_) => None,
        }
    }
}

/// Returns the calls of a merged module, in order of declaration; none in dialects whose modules are not directories.
/// `root` is the module directory within the files.
pub fn calls<'r>(report: &'r Report<'r>, files: &FileSet, root: &str) -> Vec<Call<'r>> {
    if !report.dialect.rules.modules.are_directories {
        return Vec::new();
    }
    let blocks: Vec<&Block<'_>> = match &report.module.blocks {
        Some(blocks) => blocks.iter().filter(|block| block.keyword == words::MODULE).collect(),
        None => {
            let elements = report.module.elements.iter();
            elements.filter(|element| element.kind == ObjectKind::ModuleCall).map(|element| element.block).collect()
        }
    };
    let mut places = Places { files, from: files.real_path(root), known: HashMap::default() };
    blocks.into_iter().charged_at_once(8).filter_map(|block| call(report, &mut places, block)).collect()
}

fn call<'r>(report: &'r Report<'r>, places: &mut Places<'_>, block: &'r Block<'r>) -> Option<Call<'r>> {
    let name = block.labels.first()?.text;
    let source = block.argument(words::SOURCE_ARGUMENT);
    let evaluated = report.early.modules.get(name);
    let (text, secrecy) = match (evaluated, source) {
        (Some(module), _) => (Some(Arc::clone(&module.source)), module.source_secrecy),
        (None, Some(argument)) => (constant(report, argument), Secrecy::Open),
        (None, None) => (None, Secrecy::Open),
    };
    let kind = text.as_ref().and_then(|text| module_source::parse(text).ok());
    let target = match (&text, kind) {
        (Some(text), Some(SourceKind::Local)) => places.target(text),
        _ => Target::Elsewhere,
    };
    Some(Call { name, block, source, text, secrecy, kind, target })
}

/// The text of a source that is constant.
fn constant(report: &Report<'_>, argument: &Argument<'_>) -> Option<Arc<str>> {
    if argument.broken {
        return None;
    }
    if let DecodedArgument::Text(text) = &argument.decoded {
        return Some(Arc::from(*text));
    }
    if report.dialect.reads_hcl1() {
        // Plain strings are not evaluated.
        let span = report.forest.expr_span(argument.expr);
        let text = report.forest.sources.text(span);
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        return (!text.contains(['\\', '$'])).then(|| Arc::from(text));
    }
    let value = eval::constant(report.forest, argument.expr, &mut Diagnostics::new());
    value.unmarked_deep().as_shared_text().map(Arc::clone)
}

/// Where the local sources of one module lead. Many calls name the same few directories.
struct Places<'f> {
    files: &'f FileSet,
    /// The directory of the module, without links.
    from: Cow<'f, str>,
    known: HashMap<Arc<str>, Target>,
}

impl Places<'_> {
    /// Resolves a path that the module names as a source.
    fn target(&mut self, source: &Arc<str>) -> Target {
        if let Some(target) = self.known.get(source.touched()) {
            return target.clone();
        }
        let access = FileAccess::new(self.files, &self.from);
        let target = match access.resolve(&source.replace('\\', "/")) {
            None => Target::Elsewhere,
            Some(path) => {
                let path: Arc<str> = self.files.real_path(&path).into();
                account::grow(path.len() as u64);
                if self.files.has_folder(&path) { Target::Directory(path) } else { Target::Nothing(path) }
            }
        };
        self.known.insert(Arc::clone(source), target.clone());
        target
    }
}

/// The arguments that a call passes to variables: all those that the language does not reserve for itself.
pub fn inputs<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = &'b Argument<'f>> {
    block.arguments.iter().filter(|argument| argument.spec.is_none())
}

/// The nested blocks that the language does not define.
pub(crate) fn unknown_blocks<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = &'b Block<'f>> {
    block.blocks.iter().filter(|inner| inner.spec.is_none())
}

/// Whether an argument was present in the base block, replaced since or not.
pub(crate) fn is_in_base(block: &Block<'_>, argument: &Argument<'_>) -> bool {
    !block.is_overridden() || argument.original().range.source == block.header.source
}

/// The argument that keeps a call from using a module with provider configurations of its own: the first of `count`,
/// `for_each` and `depends_on`.
pub(crate) fn repetition<'b, 'f>(block: &'b Block<'f>) -> Option<&'b Argument<'f>> {
    [words::COUNT, words::FOR_EACH, words::DEPENDS_ON].into_iter().find_map(|name| {
        block
            .arguments
            .iter()
            .find(|argument| argument.spec.is_some() && argument.is_listed() && argument.name == name)
    })
}
