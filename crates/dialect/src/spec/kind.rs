//! The kinds of objects.

/// The kind of an object or block, as answers show it.
///
/// Stages ask about a kind only by its variant; a kind that no stage asks about is [`ObjectKind::Named`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// A managed resource.
    Resource,
    /// A data source.
    Data,
    /// An ephemeral resource.
    Ephemeral,
    /// An action.
    Action,
    /// An input variable.
    Variable,
    /// A local value.
    Local,
    /// An output value.
    Output,
    /// A module call.
    ModuleCall,
    /// A provider configuration.
    Provider,
    /// A check.
    Check,
    /// A backend.
    Backend,
    /// The settings of HCP Terraform.
    Cloud,
    /// An entry of `required_providers`.
    RequiredProvider,
    /// Any other kind, by its name in answers.
    Named(&'static str),
}

impl ObjectKind {
    /// Returns the name of the kind in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Data => "data",
            Self::Ephemeral => "ephemeral",
            Self::Action => "action",
            Self::Variable => "variable",
            Self::Local => "local",
            Self::Output => "output",
            Self::ModuleCall => "module",
            Self::Provider => "provider",
            Self::Check => "check",
            Self::Backend => "backend",
            Self::Cloud => "cloud",
            Self::RequiredProvider => "required_provider",
            Self::Named(name) => name,
        }
    }
}
