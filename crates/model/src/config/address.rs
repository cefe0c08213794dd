//! The addresses of objects.

use std::fmt;
use std::sync::Arc;

use super::Block;
use super::element::DecodedArgument;
use crate::language::references::ResourceMode;
use overfold_base::account;
use overfold_base::written::shared;
use overfold_dialect::{AddressRule, BlockSpec, ObjectKind, words};
use overfold_syntax::Forest;

/// The address of an object. [`fmt::Display`] writes it in the tool's own notation.
///
/// Names are labels as written, which need not be identifiers: two addresses can differ and still look alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectAddr<'f> {
    /// A resource of any mode: `TYPE.NAME`, `data.TYPE.NAME`, `ephemeral.TYPE.NAME`, `action.TYPE.NAME`.
    Resource {
        /// The block type that declares it.
        mode: ResourceMode,
        /// The first label.
        type_name: &'f str,
        /// The second label.
        name: &'f str,
    },
    /// `var.NAME`
    Variable(&'f str),
    /// `local.NAME`
    Local(&'f str),
    /// `output.NAME`
    Output(&'f str),
    /// `module.NAME`
    ModuleCall(&'f str),
    /// `provider.NAME` or `provider.NAME.ALIAS`
    Provider {
        /// The local name.
        name: &'f str,
        /// The alias; `None` for the default configuration.
        alias: Option<&'f str>,
    },
    /// `check.NAME`
    Check(&'f str),
    /// `terraform.required_providers.NAME`
    RequiredProvider(&'f str),
    /// A setting that a module has at most once, by its address: `terraform.backend`.
    Setting(&'f str),
    /// A block without a name: `moved[0]`.
    Numbered {
        /// The block type.
        keyword: &'static str,
        /// The 0-based position among the blocks of this type, in order of declaration; `None` before the files are
        /// combined, and for a block that is not part of the module.
        index: Option<u32>,
    },
    /// An object about which no stage has to know more than its labels.
    Other {
        /// The text in front of the labels, with its dot.
        prefix: &'static str,
        /// The labels, joined by dots.
        labels: &'f str,
    },
    /// In a list of blocks: the type and the labels of a block, joined by dots. Several blocks may share it.
    Listed(&'f str),
}

impl<'f> ObjectAddr<'f> {
    /// Returns the address of the object that a block with this row declares. The index of a numbered block is
    /// assigned when the files are combined.
    pub fn from_block(forest: &'f Forest, spec: &BlockSpec, block: &Block<'f>) -> Self {
        let alias = alias(spec, block).map(|alias| forest.keep(alias));
        Self::typed(spec, block, alias).unwrap_or_else(|| {
            let prefix = match spec.address {
                AddressRule::Labels(prefix) | AddressRule::LabelAndAlias(prefix) => prefix,
                _ => spec.keyword,
            };
            let labels = block.labels.iter().enumerate();
            let labels = labels.flat_map(|(index, label)| [if index > 0 { "." } else { "" }, label.text]);
            Self::Other { prefix, labels: forest.keep_joined(labels) }
        })
    }

    /// Returns the address of the object inside another one that a block declares, such as the data source of a check;
    /// `None` if the block is not an object.
    pub fn of_nested(block: &Block<'f>) -> Option<Self> {
        let spec = block.spec.filter(|spec| matches!(spec.address, AddressRule::Labels(_)))?;
        Self::typed(spec, block, None)
    }

    /// Returns the address of a block; `None` if it is [`ObjectAddr::Other`].
    fn typed(spec: &BlockSpec, block: &Block<'f>, alias: Option<&'f str>) -> Option<Self> {
        if let AddressRule::Fixed(address) = spec.address {
            return Some(Self::Setting(address));
        }
        if let AddressRule::Numbered(keyword) = spec.address {
            return Some(Self::Numbered { keyword, index: None });
        }
        let mode = match (spec.kind, block.labels) {
            (ObjectKind::Variable, [name]) => return Some(Self::Variable(name.text)),
            (ObjectKind::Output, [name]) => return Some(Self::Output(name.text)),
            (ObjectKind::ModuleCall, [name]) => return Some(Self::ModuleCall(name.text)),
            (ObjectKind::Check, [name]) => return Some(Self::Check(name.text)),
            (ObjectKind::Provider, [name]) => return Some(Self::Provider { name: name.text, alias }),
            (kind, _) => resource_mode(kind)?,
        };
        let [type_name, name] = block.labels else { return None };
        Some(Self::Resource { mode, type_name: type_name.text, name: name.text })
    }

    /// Returns the address of the object that an argument of a block with this row declares. `prefix` is the one of
    /// its [`AddressRule::EachArgument`].
    pub const fn of_argument(kind: ObjectKind, prefix: &'static str, name: &'f str) -> Self {
        match kind {
            ObjectKind::Local => Self::Local(name),
            ObjectKind::RequiredProvider => Self::RequiredProvider(name),
            _ => Self::Other { prefix, labels: name },
        }
    }

    /// Returns the last part: the name of the object, or the alias of a provider configuration.
    pub fn name(&self) -> &'f str {
        match *self {
            Self::Resource { name, .. }
            | Self::Variable(name)
            | Self::Local(name)
            | Self::Output(name)
            | Self::ModuleCall(name)
            | Self::Check(name)
            | Self::RequiredProvider(name)
            | Self::Provider { name, alias: None }
            | Self::Provider { alias: Some(name), .. } => name,
            Self::Numbered { keyword, .. } => keyword,
            Self::Setting(text) | Self::Other { labels: text, .. } | Self::Listed(text) => {
                text.rsplit('.').next().unwrap_or(text)
            }
        }
    }

    /// Returns how references name a provider configuration, `NAME` or `NAME.ALIAS`; `None` for any other object.
    pub fn provider_key(&self) -> Option<String> {
        let Self::Provider { name, alias } = self else { return None };
        Some(alias.map_or_else(|| (*name).to_owned(), |alias| format!("{name}.{alias}")))
    }

    /// Returns the address of a sibling: an object of the same kind, and of the same type if it has one, with this
    /// name. `None` if the kind has no names.
    pub fn sibling(&self, name: &'f str) -> Option<Self> {
        Some(match *self {
            Self::Resource { mode, type_name, .. } => Self::Resource { mode, type_name, name },
            Self::Variable(_) => Self::Variable(name),
            Self::Local(_) => Self::Local(name),
            Self::Output(_) => Self::Output(name),
            Self::ModuleCall(_) => Self::ModuleCall(name),
            Self::Check(_) => Self::Check(name),
            Self::RequiredProvider(_) => Self::RequiredProvider(name),
            Self::Provider { alias: None, .. } => Self::Provider { name, alias: None },
            Self::Provider { name: provider, alias: Some(_) } => Self::Provider { name: provider, alias: Some(name) },
            Self::Other { prefix, labels } if !labels.contains('.') => Self::Other { prefix, labels: name },
            Self::Setting(_) | Self::Numbered { .. } | Self::Other { .. } | Self::Listed(_) => return None,
        })
    }

    /// Returns the address that a provider configuration has without its alias; any other address as it is.
    #[must_use]
    pub const fn without_alias(self) -> Self {
        match self {
            Self::Provider { name, .. } => Self::Provider { name, alias: None },
            other => other,
        }
    }

    /// Returns the address in the tool's notation, kept as long as the forest lives.
    pub fn text(&self, forest: &'f Forest) -> &'f str {
        match *self {
            Self::Setting(text) | Self::Listed(text) => text,
            Self::Numbered { .. } => forest.keep(&self.to_string()),
            _ => forest.keep_joined(self.parts().into_iter()),
        }
    }

    /// The pieces of the text, except for a number.
    fn parts(&self) -> [&'f str; 4] {
        match *self {
            Self::Resource { mode, type_name, name } => [mode.prefix(), type_name, ".", name],
            Self::Variable(name) => ["var.", name, "", ""],
            Self::Local(name) => ["local.", name, "", ""],
            Self::Output(name) => ["output.", name, "", ""],
            Self::ModuleCall(name) => ["module.", name, "", ""],
            Self::Provider { name, alias: None } => ["provider.", name, "", ""],
            Self::Provider { name, alias: Some(alias) } => ["provider.", name, ".", alias],
            Self::Check(name) => ["check.", name, "", ""],
            Self::RequiredProvider(name) => ["terraform.required_providers.", name, "", ""],
            Self::Setting(text) | Self::Listed(text) => [text, "", "", ""],
            Self::Numbered { keyword, .. } => [keyword, "", "", ""],
            Self::Other { prefix, labels } => [prefix, labels, "", ""],
        }
    }
}

impl fmt::Display for ObjectAddr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        account::copy(self.parts().into_iter().map(str::len).sum());
        self.parts().into_iter().try_for_each(|part| f.write_str(part))?;
        match self {
            Self::Numbered { index: Some(index), .. } => write!(f, "[{index}]"),
            _ => Ok(()),
        }
    }
}

impl From<ObjectAddr<'_>> for Arc<str> {
    fn from(address: ObjectAddr<'_>) -> Self {
        shared(format_args!("{address}"))
    }
}

/// Returns the alias of a provider configuration, if it is a constant and not empty.
fn alias<'b>(spec: &BlockSpec, block: &'b Block<'_>) -> Option<&'b str> {
    let AddressRule::LabelAndAlias(_) = spec.address else { return None };
    match &block.argument(words::ALIAS)?.decoded {
        DecodedArgument::Text(alias) if !alias.is_empty() => Some(alias),
        _ => None,
    }
}

/// Returns the mode of a kind of resource.
pub const fn resource_mode(kind: ObjectKind) -> Option<ResourceMode> {
    match kind {
        ObjectKind::Resource => Some(ResourceMode::Managed),
        ObjectKind::Data => Some(ResourceMode::Data),
        ObjectKind::Ephemeral => Some(ResourceMode::Ephemeral),
        ObjectKind::Action => Some(ResourceMode::Action),
        _ => None,
    }
}
