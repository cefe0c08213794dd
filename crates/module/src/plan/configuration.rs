//! The part `configuration` of a plan: the configuration of the whole tree, without values (plan.md, section 16).

use std::sync::Arc;

use overfold_value::Value;

/// The configuration of a tree of modules.
#[derive(Debug, Default)]
pub struct Configuration {
    /// The provider configurations by key, in order of key.
    pub providers: Vec<(Box<str>, ProviderConfiguration)>,
    /// The root module.
    pub root: ModuleConfiguration,
}

/// A provider configuration.
#[derive(Debug, Default)]
pub struct ProviderConfiguration {
    /// The local name.
    pub name: Box<str>,
    /// The full address of the provider.
    pub full_name: Box<str>,
    /// The alias.
    pub alias: Option<Box<str>>,
    /// The constraint on the version.
    pub version_constraint: Option<Box<str>>,
    /// The path of calls to its module, `module.a.module.b`; `None` in the root module.
    pub module_address: Option<Box<str>>,
    /// Its arguments.
    pub expressions: Expressions,
}

/// A module, once for each call of it.
#[derive(Debug, Default)]
pub struct ModuleConfiguration {
    /// The outputs, in order of name.
    pub outputs: Vec<(Box<str>, OutputConfiguration)>,
    /// The managed resources by address, then the data sources by address.
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
    /// Its default, converted, with the marks of the declaration.
    pub default: Option<Value>,
    /// Its description; `None` if it is empty.
    pub description: Option<Box<str>>,
    /// Whether it is declared as sensitive.
    pub sensitive: bool,
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
    /// The called module; empty if it is not there.
    pub module: ModuleConfiguration,
    /// The constraint on the version.
    pub version_constraint: Option<Box<str>>,
    /// The addresses in `depends_on`, in order.
    pub depends_on: Vec<Box<str>>,
}

/// A managed resource or a data source.
#[derive(Debug, Default)]
pub struct ResourceConfiguration {
    /// Its address within the module.
    pub address: Box<str>,
    /// Whether it is a data source.
    pub is_data: bool,
    /// Its type.
    pub type_name: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// The key of its provider configuration in [`Configuration::providers`].
    pub provider_config_key: Box<str>,
    /// Its provisioners, in order.
    pub provisioners: Vec<(Box<str>, Expressions)>,
    /// Its arguments and blocks.
    pub expressions: Expressions,
    /// `count`, unless it shows nothing.
    pub count: Option<Expression>,
    /// `for_each`, unless it shows nothing.
    pub for_each: Option<Expression>,
    /// The addresses in `depends_on`, in order.
    pub depends_on: Vec<Box<str>>,
}

/// The arguments and blocks of a body, in order of name.
pub type Expressions = Vec<(Box<str>, BodyPart)>;

/// What stands under one name in a body.
#[derive(Debug)]
pub enum BodyPart {
    /// An argument.
    Argument(Expression),
    /// A single block.
    Block(Expressions),
    /// A list of blocks.
    Blocks(Vec<Expressions>),
    /// Blocks with a label, by label.
    ByLabel(Vec<(Box<str>, Expressions)>),
}

/// What is known of an expression without evaluating the module.
#[derive(Debug, Default)]
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
