//! What loading gives: elements with an address, their arguments and nested blocks. The same types hold the module
//! before and after merging; merging fills in what was overridden.

use std::sync::Arc;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::config::change::Change;
use crate::config::secrets::Secrets;
use crate::config::variable::Variable;
use crate::diag::{Diagnostic, SourceId, Span};
use crate::dialect::{AttrKind, AttrMerge, AttrSpec, BlockSpec, FileSyntax};
use crate::eval::TypeConstraint;
use crate::hcl::content::ContentLabel;
use crate::language::required_providers::ProviderSource;
use crate::syntax::ExprAt;
use crate::value::{Hcl1Type, Hcl1Value, Value, with_stack};

/// The address of an element in the tool's own form: `aws_instance.web`, `data.http.ping`, `terraform.backend`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address<'f>(pub &'f str);

/// What a file is to the dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRole {
    /// Loaded first; its blocks are appended.
    Primary,
    /// Merged into the primary ones, in order.
    Override,
    /// Variable definitions.
    Values,
    /// A test file: not part of the module.
    Test,
    /// Not read, for this reason.
    Ignored(&'static str),
}

/// A file of the module directory and what became of it.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// Name relative to the module directory.
    pub name: String,
    /// What it is.
    pub role: FileRole,
    /// 1-based place among the override files (or among the primary ones), in the order of reading.
    pub order: u32,
    /// How it is read; `None` for an ignored file.
    pub syntax: Option<FileSyntax>,
}

/// An argument: `name = expression`, with everything that it replaced.
#[derive(Clone, Debug)]
pub struct Argument<'f> {
    /// The name.
    pub name: &'f str,
    /// The dialect's row, where the block's schema knows the argument.
    pub spec: Option<&'static AttrSpec>,
    /// Where the name stands.
    pub name_span: Span,
    /// From the name to the end of the expression.
    pub range: Span,
    /// The expression.
    pub expr: ExprAt,
    /// The expression has a syntax error; nothing can be said about its value.
    pub broken: bool,
    /// What the loader made of the expression, where its row asks for more than keeping it.
    pub decoded: Decoded,
    /// The value that the step of an expansion gives it; `None` where none has, or where it may not be shown.
    pub value: Option<Box<Value>>,
    /// What it replaced, oldest first; their own `overrode` are empty.
    pub overrode: ThinVec<Argument<'f>>,
}

impl Argument<'_> {
    /// Whether the tool's own account of the object has the argument. It holds references, not their list: where
    /// nothing could be read, or nothing was there to read, it has none.
    pub fn is_held(&self) -> bool {
        let Some(row) = self.spec else { return true };
        match (&self.decoded, row.kind) {
            (Decoded::Nothing | Decoded::Entries(0), _) => false,
            // A flag that nothing can take back: the tool cannot tell false from nothing.
            (Decoded::Bool(false), _) if row.merge == AttrMerge::Or => false,
            (
                Decoded::Items(items),
                AttrKind::References { .. } | AttrKind::IgnoreChanges | AttrKind::ReplaceTriggers,
            ) => !items.is_empty(),
            _ => true,
        }
    }
}

/// What the loader made of an argument's expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// Kept as an expression.
    Expr,
    /// It was to be read, could not be, and that has been reported. The tool holds the argument without a usable value.
    Wrong,
    /// The same, but the tool holds nothing of it.
    Nothing,
    /// A constant boolean.
    Bool(bool),
    /// A constant text.
    Text(Arc<str>),
    /// A list: where its readable items stand. Empty for `[]`.
    Items(Vec<Span>),
    /// The keyword `all` in place of a list.
    All,
    /// A map with this many readable entries.
    Entries(usize),
}

/// A block with its content. Nested blocks have the same shape.
///
/// In JSON a property of an open body may be an argument or a block; without a schema it is held as an argument, except
/// `dynamic` and what has a row. `decode::blocks_of_property` turns such an argument into blocks when its partner in a
/// merge is a block (terraform.md, section 9).
#[derive(Debug)]
pub struct Block<'f> {
    /// The dialect's row, where the enclosing schema knows the block type.
    pub spec: Option<&'static BlockSpec>,
    /// The block type.
    pub keyword: &'f str,
    /// Labels in order.
    pub labels: &'f [ContentLabel<'f>],
    /// Header range H (terraform.md): keyword to last label; in JSON the bracket that opens the body.
    pub header: Span,
    /// The whole block: from the keyword to the closing brace; in JSON the value that is its body.
    pub range: Span,
    /// Arguments in source order; after a merge the base's order, new ones appended.
    pub arguments: Vec<Argument<'f>>,
    /// Arguments of an escape block `_ {}` whose names would otherwise be meta-arguments.
    pub escaped: ThinVec<Argument<'f>>,
    /// Nested blocks in final order.
    pub blocks: Vec<Block<'f>>,
    /// Headers of the override blocks merged into this one, in order.
    pub overridden: ThinVec<Span>,
    /// Nested blocks that an override removed, oldest first.
    pub overrode_blocks: ThinVec<Block<'f>>,
}

/// The nested blocks of one block; most have few.
pub type Blocks<'a, 'f> = SmallVec<[&'a Block<'f>; 4]>;

/// Up to so many things are sorted in place.
const FEW: usize = 16;

impl Clone for Block<'_> {
    // By hand because blocks nest thousands of levels deep and threads have small stacks.
    fn clone(&self) -> Self {
        with_stack(|| Self {
            spec: self.spec,
            keyword: self.keyword,
            labels: self.labels,
            header: self.header,
            range: self.range,
            arguments: self.arguments.clone(),
            escaped: self.escaped.clone(),
            blocks: self.blocks.clone(),
            overridden: self.overridden.clone(),
            overrode_blocks: self.overrode_blocks.clone(),
        })
    }
}

impl<'f> Block<'f> {
    /// Its labels as strings, in order.
    pub fn label_texts(&self) -> impl Iterator<Item = &'f str> {
        self.labels.iter().map(|label| label.text)
    }

    /// Nested blocks as the tool holds them: those of the object's own type first, then the ones that the language knows,
    /// by kind.
    pub fn blocks_in_order(&self) -> Blocks<'_, 'f> {
        let rows: &[BlockSpec] = self.spec.map_or(&[], |spec| spec.blocks);
        let mut blocks: Blocks<'_, 'f> = self.blocks.iter().collect();
        if rows.is_empty() || blocks.len() < 2 {
            return blocks;
        }
        let place =
            |nested: &Self| rows.iter().position(|row| *row.keyword == *nested.keyword).map_or(0, |at| at + 1);
        if blocks.len() <= FEW {
            blocks.sort_by_key(|nested| place(nested));
        } else {
            blocks.sort_by_cached_key(|nested| place(nested));
        }
        blocks
    }

    /// Whether the tool's own account of the object has the nested block `inner`.
    pub fn holds(&self, inner: &Block<'_>) -> bool {
        let unlisted = self.spec.is_some_and(|row| row.unlisted.contains(&inner.keyword));
        let filled = !inner.arguments.is_empty() || !inner.blocks.is_empty();
        !unlisted && (filled || !inner.spec.is_some_and(|row| row.nothing_when_empty))
    }
}

/// What an element holds beside its block.
#[derive(Clone, Debug)]
pub enum Payload<'f> {
    /// Nothing more.
    None,
    /// A variable's type and default as values.
    Variable(Box<Variable<'f>>),
    /// The same where values are plain.
    Hcl1Variable(Box<Hcl1Variable>),
    /// An output's type.
    Output(Box<TypeConstraint>),
    /// What an entry of `required_providers` says.
    Requirement(Box<Requirement>),
}

/// An entry of `required_providers`.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Its source; `None`: implied by the local name.
    pub source: Option<ProviderSource>,
    /// Where its value stands.
    pub value: Span,
    /// The host of sources that name none.
    pub registry: &'static str,
}

/// The decoded parts of a variable block where values are plain (variables.md, section B1). Of an override only what
/// stands in that block; merging replaces them one by one, and does not hold them against each other.
#[derive(Clone, Debug, Default)]
pub struct Hcl1Variable {
    /// The declared type, where one is given that exists.
    pub declared: Option<Hcl1Type>,
    /// The default. Where the block declares a text too, it is one.
    pub default: Option<Hcl1Value>,
    /// The default could not be read, so that there is one and nobody knows which, or is not of the type that its own
    /// block declares. That has been reported.
    pub broken: bool,
}

impl Hcl1Variable {
    /// The declared type, else the one of the default.
    pub fn ty(&self) -> Hcl1Type {
        self.declared.unwrap_or_else(|| Hcl1Type::inferred(self.default.as_ref()))
    }

    /// The default as the variable holds it. A scalar of a variable that is declared to be a text becomes one here; it
    /// did already where one block gives both (variables.md, section B1).
    pub fn held_default(&self) -> Option<Hcl1Value> {
        let default = self.default.as_ref()?;
        let text = match self.declared {
            Some(Hcl1Type::String) => default.as_unchecked_text(),
            Some(_) => None,
            None => default.as_text(),
        };
        Some(text.map_or_else(|| default.clone(), Hcl1Value::Text))
    }
}

/// A thing with an address.
#[derive(Clone, Debug)]
pub struct Element<'f> {
    /// Address in the tool's form.
    pub address: Address<'f>,
    /// `resource`, `data`, `variable`, …: [`BlockSpec::kind`].
    pub kind: &'static str,
    /// The block. For a local value a block made of its argument, which is named `value`; for a required provider one
    /// with the arguments `source`, `version`, `configuration_aliases`, made of the object's items (a plain text is
    /// the version); for `terraform.required_version` one that holds every constraint as an argument of that name. Their
    /// header is the whole argument, their `spec` the row that says how they merge.
    pub block: Block<'f>,
    /// Decoded parts that merging works on.
    pub payload: Payload<'f>,
}

/// The elements of one override file that merging has to look at, in order: refused and silently ignored ones are
/// gone, and reported.
#[derive(Clone, Debug)]
pub struct OverrideFile<'f> {
    /// The file.
    pub source: SourceId,
    /// In source order.
    pub elements: Vec<Element<'f>>,
}

/// What loading gives.
#[derive(Debug, Default)]
pub struct Loaded<'f> {
    /// The primary files appended: one element per address.
    pub base: Module<'f>,
    /// Override files in the order in which they apply.
    pub overrides: Vec<OverrideFile<'f>>,
    /// Experiments that the module opts into.
    pub experiments: Vec<Arc<str>>,
    /// Second declarations of elements that are arguments. They are to be reported where the one that is kept stands
    /// once every override is merged (terraform.md, section 7).
    pub duplicates: Vec<Diagnostic>,
}

/// A module: its files and its elements in order of declaration.
#[derive(Debug, Default)]
pub struct Module<'f> {
    /// Every file of the module directory, in the order of reading, ignored ones last.
    pub files: Vec<FileEntry>,
    /// Elements in order of declaration.
    pub elements: Vec<Element<'f>>,
    /// Which variables hold secrets.
    pub secrets: Secrets,
    /// What the override files changed, in the order in which they did. Empty before merging.
    pub changes: Vec<Change<'f>>,
    /// Constraints on the tool's own version that the tool compares where they stand and does not keep as elements, in the
    /// order of reading.
    pub own_versions: Vec<OwnVersion>,
}

/// A constraint on the tool's own version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnVersion {
    /// The constraint as it is written, its escapes resolved.
    pub text: Arc<str>,
    /// The whole argument.
    pub range: Span,
}
