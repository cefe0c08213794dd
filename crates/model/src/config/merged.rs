//! The result of merging.

use super::{Block, Change, Element, FileEntry, Module, Secrets};

/// A merged module.
#[derive(Debug)]
pub enum Merged<'f> {
    /// One object for each address.
    Objects(Module<'f>),
    /// A list of blocks, in which any number of blocks may have the same type and labels.
    BlockList {
        /// The merged list: blocks in order of declaration, with those added by overrides at the end.
        blocks: Vec<Block<'f>>,
        /// The files of the module and, of its objects, only the variables.
        module: Module<'f>,
    },
}

impl<'f> Merged<'f> {
    const fn module(&self) -> &Module<'f> {
        match self {
            Self::Objects(module) | Self::BlockList { module, .. } => module,
        }
    }

    /// Returns all files of the module directory, in the order in which they are read, ignored ones last.
    pub fn files(&self) -> &[FileEntry] {
        &self.module().files
    }

    /// Returns the objects in order of declaration; for a list of blocks, only the variables.
    pub fn elements(&self) -> &[Element<'f>] {
        &self.module().elements
    }

    /// Returns the changes made by the override files, in order.
    pub fn changes(&self) -> &[Change<'f>] {
        &self.module().changes
    }

    /// Returns the module of objects; `None` for a list of blocks.
    pub const fn objects(&self) -> Option<&Module<'f>> {
        match self {
            Self::Objects(module) => Some(module),
            Self::BlockList { .. } => None,
        }
    }

    /// Returns which variables contain secrets.
    pub const fn secrets(&self) -> &Secrets {
        &self.module().secrets
    }
}
