//! What merging gives.

use super::{Block, Change, Element, FileEntry, Module, Secrets};

/// A merged module.
#[derive(Debug)]
pub enum Merged<'f> {
    /// One object for each address.
    Objects(Module<'f>),
    /// A list of blocks, in which one header may stand any number of times.
    BlockList {
        /// The merged list: in order of declaration, what overrides add at the end.
        blocks: Vec<Block<'f>>,
        /// The files of the module, and of its objects the variables.
        module: Module<'f>,
    },
}

impl<'f> Merged<'f> {
    const fn module(&self) -> &Module<'f> {
        match self {
            Self::Objects(module) | Self::BlockList { module, .. } => module,
        }
    }

    /// Every file of the module directory, in the order of reading, ignored ones last.
    pub fn files(&self) -> &[FileEntry] {
        &self.module().files
    }

    /// The objects in order of declaration; of a list of blocks the variables alone.
    pub fn elements(&self) -> &[Element<'f>] {
        &self.module().elements
    }

    /// What the override files changed, in the order in which they did.
    pub fn changes(&self) -> &[Change<'f>] {
        &self.module().changes
    }

    /// The module of objects; `None` for a list of blocks.
    pub const fn objects(&self) -> Option<&Module<'f>> {
        match self {
            Self::Objects(module) => Some(module),
            Self::BlockList { .. } => None,
        }
    }

    /// Which variables hold secrets.
    pub const fn secrets(&self) -> &Secrets {
        &self.module().secrets
    }
}
