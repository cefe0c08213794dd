//! The result of loading: elements with an address, their arguments and nested blocks. The same types represent the
//! module before and after merging; merging fills in what was overridden.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::body::content::ContentLabel;
use crate::config::address::ObjectAddr;
use crate::config::change::Change;
use crate::config::history::History;
use crate::config::secrets::Secrets;
use crate::config::variable::Variable;
use crate::language::required_providers::ProviderSource;
use overfold_base::diag::{Diagnostic, SourceId, Span};
use overfold_dialect::{AttrKind, AttrMerge, AttrSpec, BlockSpec, BodyRule, FileSyntax, ObjectKind};
use overfold_eval::TypeConstraint;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Hcl1Type, Hcl1Value, Value};

/// The keyword of the block whose content belongs to the enclosing body even if its names are those of meta-arguments
/// (terraform.md, section 5.4).
pub const ESCAPE: &str = "_";

/// The role of a file in a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRole {
    /// A file that is loaded first; its blocks are appended to the module.
    Primary,
    /// A file that is merged into the primary files, in order.
    Override,
    /// A variable definitions file.
    Values,
    /// A test file, which is not part of the module.
    Test,
    /// A file that is not read, for this reason.
    Ignored(&'static str),
}

/// A file of the module directory, with its role.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// The name, relative to the module directory.
    pub name: String,
    /// The role of the file.
    pub role: FileRole,
    /// The 1-based position among the override files (or among the primary files), in the order in which they are
    /// read.
    pub order: u32,
    /// The syntax in which the file is read; `None` for an ignored file.
    pub syntax: Option<FileSyntax>,
}

/// An argument (`name = expression`) with everything that it replaced.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'f> {
    /// The name.
    pub name: &'f str,
    /// The dialect's row, if the schema of the block knows the argument.
    pub spec: Option<&'static AttrSpec>,
    /// The location of the name.
    pub name_span: Span,
    /// The range from the name to the end of the expression.
    pub range: Span,
    /// The expression.
    pub expr: ExprAt,
    /// Whether the expression has a syntax error, so that nothing is known about its value.
    pub broken: bool,
    /// The decoded expression, if its row requires more than keeping it.
    pub decoded: DecodedArgument<'f>,
    /// The value that expansion computed; `None` if there is none, or if it may not be shown.
    pub value: Option<&'f Value>,
    /// The arguments that it replaced; their own lists are empty.
    pub previous: History<'f, Argument<'f>>,
}

impl<'f> Argument<'f> {
    /// Records that the argument replaces `old`, after everything that `old` replaced.
    pub fn remember(&mut self, forest: &'f Forest, old: Self) {
        self.previous.append(forest, old.previous);
        self.previous.push(forest, Self { previous: History::NONE, ..old });
    }

    /// Returns the first declaration of the argument: the argument itself if it replaced nothing.
    pub fn original(&self) -> &Self {
        self.previous.first().unwrap_or(self)
    }

    /// Whether the tool's output about the object includes the argument. The output contains the references of a list,
    /// not the list itself, so a list without readable items is not included.
    pub fn is_listed(&self) -> bool {
        let Some(row) = self.spec else { return true };
        match (&self.decoded, row.kind) {
            (DecodedArgument::Nothing | DecodedArgument::Entries(0), _) => false,
            // The flag cannot be reset, so the tool does not distinguish false from absent.
            (DecodedArgument::Bool(false), _) if row.merge == AttrMerge::Or => false,
            (
                DecodedArgument::Items(items),
                AttrKind::References { .. } | AttrKind::IgnoreChanges | AttrKind::ReplaceTriggers,
            ) => !items.is_empty(),
            _ => true,
        }
    }
}

/// The result of decoding an argument's expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodedArgument<'f> {
    /// The expression is kept as it is.
    Expr,
    /// The expression could not be decoded, which has been reported. The tool keeps the argument without a usable
    /// value.
    Wrong,
    /// The expression could not be decoded, which has been reported. The tool does not keep the argument.
    Nothing,
    /// A constant boolean.
    Bool(bool),
    /// A constant string.
    Text(&'f str),
    /// A list, with the locations of its readable items. Empty for `[]`.
    Items(&'f [Span]),
    /// The keyword `all` instead of a list.
    All,
    /// A map with this many readable entries.
    Entries(usize),
}

/// A block with its content. Nested blocks have the same form.
///
/// In JSON, a property of an open body may be an argument or a block. Without a schema it is kept as an argument,
/// except for `dynamic` and blocks with a row. [`super::blocks_of_property`] converts such an argument into blocks if
/// it is merged with a block of the same name (terraform.md, section 9).
#[derive(Clone, Copy, Debug)]
pub struct Block<'f> {
    /// The dialect's row, if the enclosing schema knows the block type.
    pub spec: Option<&'static BlockSpec>,
    /// The block type.
    pub keyword: &'f str,
    /// The labels, in order.
    pub labels: &'f [ContentLabel<'f>],
    /// The header range H (terraform.md): from the keyword to the last label; in JSON, the bracket that opens the
    /// body.
    pub header: Span,
    /// The range of the whole block: from the keyword to the closing brace; in JSON, the value that is its body.
    pub range: Span,
    /// The arguments in source order; after a merge, in the order of the base, with new ones appended.
    pub arguments: &'f [Argument<'f>],
    /// The arguments of an escape block `_ {}` whose names would otherwise be those of meta-arguments.
    pub escaped: &'f [Argument<'f>],
    /// The nested blocks, in final order.
    pub blocks: &'f [Block<'f>],
    /// What overrides changed, if any did.
    pub history: Option<&'f BlockHistory<'f>>,
}

/// Where an override block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverrideAt {
    /// Its header range, as of [`Block::header`].
    pub header: Span,
    /// Its whole range, as of [`Block::range`].
    pub range: Span,
}

/// What overrides changed in a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockHistory<'f> {
    /// The override blocks that were merged into the block, in order.
    pub overridden_by: History<'f, OverrideAt>,
    /// The nested blocks that overrides removed.
    pub removed_blocks: History<'f, Block<'f>>,
}

impl<'f> BlockHistory<'f> {
    /// Nothing was changed.
    pub const NONE: Self = Self { overridden_by: History::NONE, removed_blocks: History::NONE };

    /// Keeps the history for a block; `None` if nothing was changed.
    pub fn keep(self, forest: &'f Forest) -> Option<&'f Self> {
        let is_empty = self.overridden_by.is_empty() && self.removed_blocks.is_empty();
        (!is_empty).then(|| forest.keep_one(self))
    }
}

/// The nested blocks of one block; most blocks have few.
pub type Blocks<'a, 'f> = SmallVec<[&'a Block<'f>; 4]>;

/// The number of blocks up to which sorting does not cache its keys.
const FEW: usize = 16;

impl<'f> Block<'f> {
    /// Returns the argument of this name, even if its expression could not be read.
    pub fn argument(&self, name: &str) -> Option<&'f Argument<'f>> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    /// Returns the argument of this name, if its expression could be read.
    pub fn usable_argument(&self, name: &str) -> Option<&'f Argument<'f>> {
        self.arguments.iter().find(|argument| argument.name == name && !argument.broken)
    }

    /// Returns a block that has the keyword of its row and no content. Its range is the header.
    pub const fn bare(spec: &'static BlockSpec, header: Span) -> Self {
        Self { spec: Some(spec), ..Self::empty(spec.keyword, &[], header) }
    }

    /// Returns a block without a row and without content. Its range is the header.
    pub const fn empty(keyword: &'f str, labels: &'f [ContentLabel<'f>], header: Span) -> Self {
        Self {
            spec: None,
            keyword,
            labels,
            header,
            range: header,
            arguments: &[],
            escaped: &[],
            blocks: &[],
            history: None,
        }
    }

    /// Returns the override blocks that were merged into this one, in order.
    pub fn overridden_by(&self) -> History<'f, OverrideAt> {
        self.history.map_or(History::NONE, |history| history.overridden_by)
    }

    /// Returns where the block is, as one that was merged into another.
    pub const fn place(&self) -> OverrideAt {
        OverrideAt { header: self.header, range: self.range }
    }

    /// Whether an override block was merged into this one.
    pub fn is_overridden(&self) -> bool {
        !self.overridden_by().is_empty()
    }

    /// Returns the nested blocks that overrides removed.
    pub fn removed_blocks(&self) -> History<'f, Self> {
        self.history.map_or(History::NONE, |history| history.removed_blocks)
    }

    /// Returns the labels as strings, in order.
    pub fn label_texts(&self) -> impl Iterator<Item = &'f str> {
        self.labels.iter().map(|label| label.text)
    }

    /// Whether an argument or a nested block without a row must be written inside the escape block (terraform.md,
    /// section 5.4), because outside of it the name means something to the language.
    pub fn must_escape(&self, name: &str) -> bool {
        self.spec.is_some_and(|spec| {
            let escapes = matches!(spec.body, BodyRule::Open { escape: Some(_), .. });
            escapes && (name == ESCAPE || spec.attr(name).is_some() || spec.block(name).is_some())
        })
    }

    /// Returns the nested blocks in the order in which the tool keeps them: first those of the object's own schema,
    /// then those known to the language, by kind.
    pub fn blocks_in_order(&self) -> Blocks<'_, 'f> {
        let rows: &[BlockSpec] = self.spec.map_or(&[], |spec| spec.blocks);
        let mut blocks: Blocks<'_, 'f> = self.blocks.iter().collect();
        if rows.is_empty() || blocks.len() < 2 {
            return blocks;
        }
        // A block without a row may come from an escape block; it is then the object's own, whatever its name.
        let has_escapes = self.spec.is_some_and(|spec| matches!(spec.body, BodyRule::Open { escape: Some(_), .. }));
        let place = |nested: &Self| {
            let is_own = has_escapes && nested.spec.is_none();
            let row = rows.iter().position(|row| !is_own && *row.keyword == *nested.keyword);
            row.map_or(0, |at| at + 1)
        };
        if blocks.len() <= FEW {
            blocks.sort_by_key(|nested| place(nested));
        } else {
            blocks.sort_by_cached_key(|nested| place(nested));
        }
        blocks
    }

    /// Whether the nested block `inner` is listed with the object, as in the original output about it.
    pub fn lists(&self, inner: &Block<'_>) -> bool {
        let unlisted = self.spec.is_some_and(|row| row.unlisted.contains(&inner.keyword));
        let filled = !inner.arguments.is_empty() || !inner.blocks.is_empty();
        !unlisted && (filled || !inner.spec.is_some_and(|row| row.omit_if_empty))
    }
}

/// The decoded parts of an element in addition to its block.
#[derive(Clone, Debug)]
pub enum Payload<'f> {
    /// There are no decoded parts.
    None,
    /// The type and the default of a variable.
    Variable(Box<Variable<'f>>),
    /// The type and the default of a variable with plain values.
    Hcl1Variable(Box<Hcl1Variable>),
    /// The type of an output.
    Output(Box<TypeConstraint>),
    /// The content of an entry of `required_providers`.
    Requirement(Box<Requirement>),
}

/// An entry of `required_providers`.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The source; `None` if it is implied by the local name.
    pub source: Option<ProviderSource>,
    /// The location of the entry's value.
    pub value: Span,
    /// The registry host of sources that do not name one.
    pub registry: &'static str,
}

/// The decoded parts of a variable block with plain values (variables.md, section B1). For an override, only the parts
/// in that block; merging replaces them one by one, without comparing them with each other.
#[derive(Clone, Debug, Default)]
pub struct Hcl1Variable {
    /// The declared type, if one is given and exists.
    pub declared: Option<Hcl1Type>,
    /// The default. If the block also declares the type string, this is a string.
    pub default: Option<Hcl1Value>,
    /// Whether the default could not be read, so that its value is unknown, or does not have the type that its own
    /// block declares. Either has been reported.
    pub broken: bool,
}

impl Hcl1Variable {
    /// Returns the declared type, or else the type of the default.
    pub fn ty(&self) -> Hcl1Type {
        self.declared.unwrap_or_else(|| Hcl1Type::inferred(self.default.as_ref()))
    }

    /// Returns the default as the variable holds it. If the variable is declared as a string, a scalar is converted to
    /// a string here, unless the type and the default are in one block, where it has already been converted
    /// (variables.md, section B1).
    pub fn stored_default(&self) -> Option<Hcl1Value> {
        let default = self.default.as_ref()?;
        let text = match self.declared {
            Some(Hcl1Type::String) => default.as_unchecked_text(),
            Some(_) => None,
            None => default.as_text(),
        };
        Some(text.map_or_else(|| default.clone(), Hcl1Value::Text))
    }
}

/// An object with an address.
#[derive(Clone, Debug)]
pub struct Element<'f> {
    /// The address.
    pub address: ObjectAddr<'f>,
    /// The kind of the element from [`BlockSpec::kind`].
    pub kind: ObjectKind,
    /// The block. For a local value, this is a block made from its argument, which is named `value`; for a required
    /// provider, a block with the arguments `source`, `version` and `configuration_aliases`, made from the items of
    /// the object (a plain string is the version); for `terraform.required_version`, a block with one argument of that
    /// name for each constraint. The header of such a block is the whole argument, and its `spec` is the row that says
    /// how it is merged.
    pub block: &'f Block<'f>,
    /// The decoded parts that merging works on.
    pub payload: Payload<'f>,
}

/// The elements of one override file that merging has to process, in order. Elements that are refused or silently
/// ignored have been reported; only the record of changes
/// contains them.
#[derive(Clone, Debug)]
pub struct OverrideFile<'f> {
    /// The file.
    pub source: SourceId,
    /// The elements, in source order.
    pub elements: Vec<Element<'f>>,
    /// The blocks that are refused or silently ignored, in source order.
    pub ignored: Vec<Change<'f>>,
}

/// The result of loading.
#[derive(Debug, Default)]
pub struct LoadedElements<'f> {
    /// The primary files, appended: one element for each address.
    pub base: Module<'f>,
    /// The override files, in the order in which they are applied.
    pub overrides: Vec<OverrideFile<'f>>,
    /// The experiments that the module opts into.
    pub experiments: Vec<Arc<str>>,
    /// Diagnostics about second declarations of elements that are arguments. They are reported after the merge, at the
    /// final location of the declaration that is kept (terraform.md, section 7).
    pub duplicates: Vec<Diagnostic>,
}

/// A module: its files and its elements in order of declaration.
#[derive(Debug, Default)]
pub struct Module<'f> {
    /// All files of the module directory, in the order in which they are read, ignored ones last.
    pub files: Vec<FileEntry>,
    /// The elements in order of declaration; only the variables if the module is a list of blocks.
    pub elements: Vec<Element<'f>>,
    /// The merged blocks, in a dialect whose module is a list in which any number of blocks may have the same type and
    /// labels: in order of declaration, with those added by overrides at the end.
    pub blocks: Option<Vec<Block<'f>>>,
    /// The content of each test file, in the order in which they are read. It is not part of the module.
    pub tests: Vec<Block<'f>>,
    /// Which variables contain secrets.
    pub secrets: Secrets,
    /// The changes made by the override files, in order. Empty before the merge.
    pub changes: Vec<Change<'f>>,
    /// Constraints on the tool's own version that the tool checks immediately and does not keep as elements, in the
    /// order in which they are read.
    pub own_versions: Vec<OwnVersion>,
}

/// A constraint on the tool's own version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnVersion {
    /// The constraint as written, with escape sequences resolved.
    pub text: Arc<str>,
    /// The range of the whole argument.
    pub range: Span,
}
