//! Names that are built into the tool: functions, types of the provider that is part of it, backends.

use super::described::described;
use super::{DialectSpec, When};

described! {
    /// What a built-in name stands for.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum BuiltinKind: word in "built_in" {
        /// A function that expressions may call by this name or, where names may have namespaces, as `core::NAME`.
        Function = "function",
        /// A resource type of a built-in provider, as `PROVIDER.TYPE`.
        ResourceType = "resource-type",
        /// A data source of a built-in provider, as `PROVIDER.TYPE`.
        DataSource = "data-source",
        /// A function of the built-in provider `terraform`, called as `provider::NAME::FUNCTION`.
        ProviderFunction = "provider-function",
        /// An attribute of `path`.
        PathAttribute = "path-attribute",
        /// An attribute of `terraform`, and of the other name of that object if there is one.
        ToolAttribute = "tool-attribute",
        /// A backend that stores the state.
        Backend = "backend",
        /// A type of key provider for encryption.
        KeyProvider = "key-provider",
        /// A method of encryption.
        EncryptionMethod = "encryption-method",
    }
}

/// Names that are built in in the same releases.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinRow {
    /// What the names stand for.
    pub kind: BuiltinKind,
    /// The names, sorted.
    pub names: &'static [&'static str],
    /// The releases that know them.
    pub when: When,
}

impl BuiltinRow {
    /// Creates a row of names that every release knows.
    pub(crate) const fn new(kind: BuiltinKind, names: &'static [&'static str]) -> Self {
        Self { kind, names, when: When::ALWAYS }
    }

    /// Restricts the row to some releases.
    pub(crate) const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }
}

impl DialectSpec {
    /// Returns all built-in names of a kind, in the order of the rows.
    pub fn builtins_of(&self, kind: BuiltinKind) -> impl Iterator<Item = &'static str> {
        self.builtins.iter().filter(move |row| row.kind == kind).flat_map(|row| row.names.iter().copied())
    }

    /// Whether there is a built-in name of this kind.
    pub fn has_builtin(&self, kind: BuiltinKind, name: &str) -> bool {
        self.builtins.iter().any(|row| row.kind == kind && row.names.binary_search(&name).is_ok())
    }
}
