//! The part `configuration` of a plan: the configuration of the whole tree, without values (plan.md, section 16).
//!
//! A module that is called several times is there once for each call, but its parts are shared: only the provider
//! configurations that its resources use depend on the call.

use std::sync::Arc;

use super::ResourceMode;
use overfold_value::{Type, Value};

/// The configuration of a tree of modules.
#[derive(Debug, Default)]
pub struct Configuration {
    /// The provider configurations by key, in order of key.
    pub providers: Vec<(Arc<str>, ProviderConfiguration)>,
    /// The modules, once for each call that leads to them; the root module is the first one.
    pub modules: Vec<ModuleConfiguration>,
}

/// A provider configuration.
#[derive(Debug, Default)]
pub struct ProviderConfiguration {
    /// The local name. Of a configuration that a call passes, but to which no other one leads, it includes the alias.
    pub name: Arc<str>,
    /// The full address of the provider.
    pub full_name: Arc<str>,
    /// The alias.
    pub alias: Option<Arc<str>>,
    /// The constraints on the version, in normal form.
    pub version_constraint: Option<Arc<str>>,
    /// The path of calls to its module, `module.a.module.b`; `None` in the root module.
    pub module_address: Option<Arc<str>>,
    /// Its arguments.
    pub expressions: Expressions,
}

/// A module, once for each call of it.
#[derive(Debug, Default)]
pub struct ModuleConfiguration {
    /// What is the same whatever calls it.
    pub parts: Arc<ModuleParts>,
    /// The key in [`Configuration::providers`] of the provider configuration of each resource.
    pub provider_keys: Vec<Arc<str>>,
    /// The position in [`Configuration::modules`] of the module that each call leads to, if it is there.
    pub called: Vec<Option<usize>>,
}

/// The parts of a module.
#[derive(Debug, Default)]
pub struct ModuleParts {
    /// The outputs, in order of name.
    pub outputs: Vec<(Box<str>, OutputConfiguration)>,
    /// The managed resources by address, then the data sources by address, then the ephemeral resources that are shown.
    pub resources: Vec<ResourceConfiguration>,
    /// The module calls, in order of name.
    pub calls: Vec<(Box<str>, CallConfiguration)>,
    /// The input variables, in order of name.
    pub variables: Vec<(Box<str>, VariableConfiguration)>,
}

/// An output.
#[derive(Debug, Default)]
pub struct OutputConfiguration {
    /// Whether it is declared as sensitive.
    pub sensitive: bool,
    /// Whether it is declared as ephemeral.
    pub ephemeral: bool,
    /// Why it should not be used; `None` if nothing is said.
    pub deprecated: Option<Box<str>>,
    /// Its value.
    pub expression: Expression,
    /// The addresses in `depends_on`, in order.
    pub depends_on: Vec<Box<str>>,
    /// Its description; `None` if it is empty.
    pub description: Option<Box<str>>,
}

/// An input variable.
#[derive(Debug, Default)]
pub struct VariableConfiguration {
    /// Its declared type, if it has one.
    pub ty: Option<Type>,
    /// Its default, converted, with the marks of the declaration.
    pub default: Option<Value>,
    /// Its description; `None` if it is empty.
    pub description: Option<Box<str>>,
    /// Whether it is declared as sensitive.
    pub sensitive: bool,
    /// Whether it is declared as ephemeral.
    pub ephemeral: bool,
    /// Why it should not be used; `None` if nothing is said.
    pub deprecated: Option<Box<str>>,
}

/// A module call.
#[derive(Debug, Default)]
pub struct CallConfiguration {
    /// The source as written.
    pub source: Box<str>,
    /// The arguments that it passes.
    pub expressions: Expressions,
    /// `count`, unless it shows nothing.
    pub count: Option<Expression>,
    /// `for_each`, unless it shows nothing.
    pub for_each: Option<Expression>,
    /// The constraint on the version, as written.
    pub version_constraint: Option<Box<str>>,
    /// The addresses in `depends_on`, in order.
    pub depends_on: Vec<Box<str>>,
}

/// A managed resource, a data source or an ephemeral resource.
#[derive(Debug)]
pub struct ResourceConfiguration {
    /// Its address within the module.
    pub address: Box<str>,
    /// Managed, data or ephemeral.
    pub mode: ResourceMode,
    /// Its type.
    pub type_name: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Its provisioners, in order.
    pub provisioners: Vec<(Box<str>, Expressions)>,
    /// Its arguments and blocks.
    pub expressions: Expressions,
    /// The version of its schema.
    pub schema_version: u64,
    /// `count`, unless it shows nothing.
    pub count: Option<Expression>,
    /// `for_each`, unless it shows nothing.
    pub for_each: Option<Expression>,
    /// The addresses in `depends_on`, in order.
    pub depends_on: Vec<Box<str>>,
}

/// The arguments and blocks of a body, in order of name.
pub type Expressions = Arc<[(Box<str>, BodyPart)]>;

/// What stands under one name in a body.
#[derive(Debug)]
pub enum BodyPart {
    /// An argument.
    Argument(Expression),
    /// A single block.
    Block(Expressions),
    /// A list of blocks.
    Blocks(Vec<Expressions>),
    /// Blocks with a label, in order of label.
    ByLabel(Vec<(Box<str>, Expressions)>),
}

/// What is known of an expression without evaluating the module.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    /// Its value if it needs neither names nor functions, with the marks of what it is given to; JSON text as written
    /// keeps its `${…}`.
    pub constant: Option<Value>,
    /// What it refers to, in the tool's order, with the shortened forms of each reference.
    pub references: Arc<[Box<str>]>,
}

impl Expression {
    /// Whether it shows nothing.
    pub fn is_empty(&self) -> bool {
        self.constant.is_none() && self.references.is_empty()
    }
}
