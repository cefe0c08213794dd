//! What loading gives: elements with an address, their arguments and nested blocks. The same types hold the module
//! before and after merging; merging fills in what was overridden.

use std::sync::Arc;

use crate::diag::Span;
use crate::dialect::{AttrSpec, BlockSpec};
use crate::syntax::ExprAt;

/// The address of an element in the tool's own form: `aws_instance.web`, `data.http.ping`, `terraform.backend`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address(pub Arc<str>);

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

/// The syntax a file is read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileSyntax {
    /// HCL native syntax.
    Native,
    /// HCL JSON syntax.
    Json,
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
pub struct Argument {
    /// The name.
    pub name: Arc<str>,
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
    /// What it replaced, oldest first; their own `overrode` are empty.
    pub overrode: Vec<Argument>,
}

/// A label of a block header.
#[derive(Clone, Debug)]
pub struct BlockLabel {
    /// Decoded text.
    pub text: Arc<str>,
    /// With its quotes.
    pub span: Span,
}

/// A block with its content. Nested blocks have the same shape.
#[derive(Clone, Debug)]
pub struct Block {
    /// The dialect's row, where the enclosing schema knows the block type.
    pub spec: Option<&'static BlockSpec>,
    /// The block type.
    pub keyword: Arc<str>,
    /// Labels in order.
    pub labels: Vec<BlockLabel>,
    /// Header range H (terraform.md): keyword to last label; in JSON the bracket that opens the body.
    pub header: Span,
    /// Arguments in source order; after a merge the base's order, new ones appended.
    pub arguments: Vec<Argument>,
    /// Arguments of an escape block `_ {}` whose names would otherwise be meta-arguments.
    pub escaped: Vec<Argument>,
    /// Nested blocks in final order.
    pub blocks: Vec<Block>,
    /// Headers of the override blocks merged into this one, in order.
    pub overridden: Vec<Span>,
    /// Nested blocks that an override removed, oldest first.
    pub overrode_blocks: Vec<Block>,
}

/// What an element holds beside its block.
#[derive(Clone, Debug)]
pub enum Payload {
    /// Nothing more.
    None,
}

/// A thing with an address.
#[derive(Clone, Debug)]
pub struct Element {
    /// Address in the tool's form.
    pub address: Address,
    /// `resource`, `data`, `variable`, …
    pub kind: &'static str,
    /// The block (for a local value, a required provider or a version constraint: a block made of its argument).
    pub block: Block,
    /// Decoded parts that merging works on.
    pub payload: Payload,
}

/// A module: its files and its elements in order of declaration.
#[derive(Debug, Default)]
pub struct Module {
    /// Every file of the module directory, in the order of reading, ignored ones last.
    pub files: Vec<FileEntry>,
    /// Elements in order of declaration.
    pub elements: Vec<Element>,
}
