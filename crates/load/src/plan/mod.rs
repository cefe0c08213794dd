//! What the tool would plan for a whole tree of modules without a state (plan.md): the values of everything, known,
//! unknown or missing because of an error.
//!
//! A [`Plan`] is data without positions; `output` writes it in the form of the tool's plan document. Values keep their
//! marks: whoever writes them decides what may be shown.

pub mod configuration;
mod origins;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use crate::provider_schemas::SchemaOrigin;
pub use origins::{Move, Origins, Overriding, PartOrigin, Removal, ResourceOrigin, Source, UnplannedCall};
pub use overfold_model::language::addresses::{ResourceStep, Target};
pub use overfold_model::language::references::{InstanceKey, ResourceMode};

use overfold_base::account;
use overfold_base::diag::Span;
use overfold_base::named;
use overfold_eval::MissingFile;
use overfold_value::Value;

/// How a plan is made, beside what any request says.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// Whether a required variable without a value is an unknown of its type; otherwise it is an error.
    pub unset_is_unknown: bool,
    /// What a function reads from a file that is not there.
    pub missing_file: MissingFile,
    /// The value of an optional argument or block that is not set, beside what its schema says.
    pub provider_defaults: ProviderDefaults,
    /// Where calls that are not local lead.
    pub module_sources: Vec<ModuleSource>,
    /// What is known of objects: the address of a resource, with or without instance keys, and an object of its
    /// attributes.
    pub assumed: Vec<(Arc<str>, Value)>,
    /// The data sources that are computed here.
    pub emulated: Vec<EmulatedDataSource>,
    /// The selected workspace, if the request names one.
    pub workspace: Option<Arc<str>>,
    /// The time of the plan, if the request names one, as RFC 3339.
    pub timestamp: Option<Arc<str>>,
    /// The directory in which the tool is run, if it is known: absolute, without `.`, `..` and repeated slashes.
    pub cwd: Option<Arc<str>>,
    /// How many instances of modules, resources and data sources are planned.
    pub max_instances: usize,
    /// How deep module calls are followed.
    pub max_depth: usize,
    /// Whether the plan says where the arguments of each resource stand.
    pub with_arguments: bool,
    /// Whether the plan says what the values need that are not known here.
    pub with_needs: bool,
    /// Whether the plan says where its parts come from, as a comparison with another plan needs it.
    pub with_origins: bool,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            unset_is_unknown: false,
            missing_file: MissingFile::Error,
            provider_defaults: ProviderDefaults::None,
            module_sources: Vec::new(),
            assumed: Vec::new(),
            emulated: Vec::new(),
            workspace: None,
            timestamp: None,
            cwd: None,
            max_instances: 100_000,
            max_depth: 64,
            with_arguments: false,
            with_needs: false,
            with_origins: false,
        }
    }
}

named! {
    /// A data source whose result can be computed from its arguments alone.
    pub enum EmulatedDataSource {
        /// A policy of AWS Identity and Access Management.
        AwsIamPolicyDocument = "aws_iam_policy_document",
    }
}

impl EmulatedDataSource {
    /// Returns the address of the provider that is imitated, with the default host.
    pub const fn provider(self) -> &'static str {
        match self {
            Self::AwsIamPolicyDocument => "registry.terraform.io/hashicorp/aws",
        }
    }

    /// Returns the version of the provider that is imitated.
    pub const fn version(self) -> &'static str {
        match self {
            Self::AwsIamPolicyDocument => "6.47.0",
        }
    }
}

named! {
    /// The value of an optional argument or block that is not set: its schema does not say whether the provider fills
    /// it in.
    #[derive(Default)]
    pub enum ProviderDefaults {
        /// Null or empty in the plan, and unknown wherever an expression refers to it.
        #[default]
        Unknown = "unknown",
        /// Null or empty: the schema is the whole truth.
        None = "none",
    }
}

/// The directory in which a module is found that is not local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleSource {
    /// The source as calls name it.
    pub source: Arc<str>,
    /// Its exact version, if it has one.
    pub version: Option<Arc<str>>,
    /// The directory within the files.
    pub path: Arc<str>,
}

/// The plan of a tree of modules.
#[derive(Debug)]
pub struct Plan {
    /// The input variables of the root module that have a value, in order of name.
    pub variables: Vec<PlannedVariable>,
    /// The outputs of the root module that could be evaluated, in order of name.
    pub outputs: Vec<PlannedOutput>,
    /// The instances of resources and data sources that could be planned, in the order of `resource_changes` (plan.md,
    /// section 14).
    pub resources: Vec<PlannedResource>,
    /// Everything with conditions, in order of the displayed address (plan.md, section 17).
    pub checks: Vec<CheckedObject>,
    /// What the changes of the plan depend on, sorted, without duplicates (plan.md, section 18).
    pub relevant_attributes: Vec<RelevantAttribute>,
    /// The configuration, without values (plan.md, section 16).
    pub configuration: configuration::Configuration,
    /// The time of the plan as RFC 3339, if the request names one.
    pub timestamp: Option<String>,
    /// Whether there was an error while values were computed; what depends on it is then missing.
    pub errored: bool,
    /// What was not given, so that the plan cannot be exact.
    pub missing: Vec<Missing>,
    /// The data sources that were to be computed here.
    pub emulated: Vec<EmulatedDataSource>,
    /// Where the schemas of the providers come from, by full address.
    pub provider_schemas: BTreeMap<Box<str>, SchemaOrigin>,
    /// Where its parts come from, if the request asks for that.
    pub origins: Option<Origins>,
}

/// An input variable of the root module.
#[derive(Debug)]
pub struct PlannedVariable {
    /// Its name.
    pub name: Arc<str>,
    /// Its value as the caller gave it, before any conversion, or its converted default, with the marks of its
    /// declaration. A value that was given for an ephemeral variable is not part of a plan.
    pub value: Value,
}

/// An output of the root module.
#[derive(Debug)]
pub struct PlannedOutput {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is declared as sensitive.
    pub sensitive: bool,
    /// Its value, which may be unknown or null, with its marks: what is not known here is marked as inexact.
    pub value: Value,
    /// What is not known here needs, in a few words, if the request asks for that.
    pub needs: Option<Arc<str>>,
}

/// One step of the address of a module instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModuleStep {
    /// The name of the call.
    pub name: Arc<str>,
    /// The key of the instance, if the call has `count` or `for_each`.
    pub key: Option<InstanceKey>,
}

/// The address of a module instance: the steps from the root module, whose own address is empty.
///
/// Everything in an instance shares one address. Two that are shared are equal without a look at the names, which are
/// up to 16 KiB each and are otherwise compared for every neighbour in a list of resources.
#[derive(Clone, Eq, Default, Debug)]
pub struct ModuleAddress(pub Arc<[ModuleStep]>);

impl Plan {
    /// Whether nothing is left out that the tool would plan or fail on, neither because of an error nor because something
    /// was not given.
    pub fn is_complete(&self) -> bool {
        let is_left_out = |missing: &Missing| matches!(missing, Missing::Instances { .. } | Missing::Module { .. });
        !self.errored && !self.missing.iter().any(is_left_out)
    }
}

impl PartialEq for ModuleAddress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Display for ModuleStep {
    /// Writes `module.a["k"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        account::copy(self.name.len());
        write!(f, "module.{}", self.name)?;
        match &self.key {
            Some(key) => write!(f, "{key}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ModuleAddress {
    /// Writes `module.a["k"].module.b`; nothing for the root module.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            write!(f, "{dot}{step}")?;
        }
        Ok(())
    }
}

/// An instance of a managed resource or a data source.
#[derive(Debug)]
pub struct PlannedResource {
    /// The module instance that contains it.
    pub module: ModuleAddress,
    /// Managed or data.
    pub mode: ResourceMode,
    /// Its type.
    pub type_name: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its key, if the resource has `count` or `for_each`.
    pub key: Option<InstanceKey>,
    /// The full address of its provider, such as `registry.terraform.io/hashicorp/aws`.
    pub provider_name: Arc<str>,
    /// The version of the schema of its type; 0 for what is built in, and without a schema.
    pub schema_version: u64,
    /// What is not set although the provider may fill it in, as JSON Pointers into the planned object; empty if the schema
    /// is the whole truth.
    pub unset: Arc<[Box<str>]>,
    /// What is planned.
    pub change: Change,
    /// The object in `planned_values`, if other marks show there than in the change.
    pub planned: Option<Value>,
    /// Where its arguments stand, if the request asks for that; all instances of a resource share them.
    pub arguments: Arc<[PlannedArgument]>,
    /// What the attributes need that are not known here, if the request asks for that: name, and what in a few words.
    pub needs: Arc<[(Arc<str>, Arc<str>)]>,
}

impl PlannedResource {
    /// Returns the address of the instance within its module: `data.TYPE.NAME["key"]`.
    pub fn local_address(&self) -> String {
        let key = self.key.as_ref().map_or_else(String::new, ToString::to_string);
        account::copy(self.type_name.len() + self.name.len() + key.len());
        format!("{}{}.{}{key}", self.mode.prefix(), self.type_name, self.name)
    }

    /// Returns the whole address of the instance: `module.m.TYPE.NAME[0]`.
    pub fn address(&self) -> String {
        if self.module.0.is_empty() {
            return self.local_address();
        }
        let local = self.local_address();
        account::room(local.len());
        format!("{}.{local}", self.module)
    }
}

/// What is planned for an instance.
#[derive(Debug)]
pub struct Change {
    /// What is done.
    pub action: Action,
    /// The object before; only an imported object has one.
    pub before: Option<Value>,
    /// The planned object, with unknown parts and marks: what is not known here is marked as inexact.
    pub after: Value,
    /// The attributes that force a replacement, as paths of names.
    pub replace_paths: Vec<Vec<Arc<str>>>,
    /// The id of an import; it may be sensitive.
    pub importing: Option<Value>,
    /// Why it is done, in the tool's word (`read_because_config_unknown`).
    pub reason: Option<&'static str>,
    /// What the object is in `prior_state`, if it is part of it: data sources that were read, imported objects.
    pub prior: Option<Value>,
    /// The addresses of the resources on which an object in `prior_state` depends, sorted; only imported objects that stay
    /// as they are have some.
    pub depends_on: Arc<[Box<str>]>,
}

/// What is done with an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing: an imported object that is as configured.
    NoOp,
    /// `create`
    Create,
    /// `update`, of an imported object.
    Update,
    /// `delete` and `create`, of an imported object.
    Replace,
    /// `create` and `delete`, of an imported object with `create_before_destroy`.
    ReplaceAfterCreation,
    /// `read`: a data source that is read when the plan is applied.
    Read,
    /// `open`, of an ephemeral resource.
    Open,
    /// Part of `prior_state` alone: a data source that was read while planning, or an imported object whose change could
    /// not be planned.
    AlreadyRead,
}

/// An argument of a planned resource.
#[derive(Clone, Debug)]
pub struct PlannedArgument {
    /// Where it is in the object, as a JSON Pointer.
    pub pointer: Arc<str>,
    /// From its name to the end of its expression.
    pub span: Span,
    /// What the expression refers to, as in [`configuration::Expression::references`], but without shortened forms.
    pub references: Arc<[Box<str>]>,
    /// Whether an override file set it.
    pub overridden: bool,
}

/// The kind of an object with conditions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckedKind {
    /// A resource or data source with preconditions or postconditions.
    Resource {
        /// Managed or data.
        mode: ResourceMode,
    },
    /// An output with preconditions.
    Output,
    /// A check block.
    Check,
    /// A variable with validations.
    Variable,
}

/// Something with conditions.
#[derive(Debug)]
pub struct CheckedObject {
    /// What it is.
    pub kind: CheckedKind,
    /// The calls that lead to its module, by name.
    pub module: Arc<[Arc<str>]>,
    /// The type of a resource.
    pub type_name: Option<Arc<str>>,
    /// Its name.
    pub name: Arc<str>,
    /// The worst status of its instances.
    pub status: CheckStatus,
    /// Its instances, in order of their displayed address.
    pub instances: Vec<CheckedInstance>,
}

impl CheckedObject {
    /// Returns its address with the calls that lead to its module: `module.m.check.c`.
    pub fn display(&self) -> String {
        self.pieces().collect()
    }

    /// Returns the pieces of the address that [`Self::display`] puts together.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let calls = self.module.iter().flat_map(|name| ["module.", name, "."]);
        let (prefix, type_name) = match self.kind {
            CheckedKind::Resource { mode } => (mode.prefix(), self.type_name.as_deref().unwrap_or_default()),
            CheckedKind::Output => ("", "output"),
            CheckedKind::Check => ("", "check"),
            CheckedKind::Variable => ("", "var"),
        };
        calls.chain([prefix, type_name, ".", &self.name])
    }

    /// Returns its address within its module: `data.TYPE.NAME`, `output.NAME`, `check.NAME`, `var.NAME`.
    pub fn local_display(&self) -> String {
        self.pieces().skip(3 * self.module.len()).collect()
    }
}

/// One instance of something with conditions.
#[derive(Debug)]
pub struct CheckedInstance {
    /// The module instance.
    pub module: ModuleAddress,
    /// The key of a resource instance.
    pub key: Option<InstanceKey>,
    /// The worst status of its conditions.
    pub status: CheckStatus,
    /// The messages of failing conditions, sorted, with the marks of what they quote.
    pub problems: Vec<Value>,
}

/// The result of conditions; the later, the worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckStatus {
    /// All hold.
    Pass,
    /// One is known only when the plan is applied.
    Unknown,
    /// One does not hold.
    Fail,
    /// One cannot be evaluated.
    Error,
}

/// A resource, and what of it the plan depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelevantAttribute {
    /// The address of the resource or the instance, with its module path.
    pub resource: Arc<str>,
    /// The path of the attribute; empty for the whole object.
    pub attribute: Vec<AttributeStep>,
}

/// A step of the path of an attribute.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AttributeStep {
    /// The name of an attribute or the key of a map.
    Name(Arc<str>),
    /// The index of a list.
    Index(i64),
}

/// Returns what to do about a module with this source that was not given: an instruction. `tool` is the name of the
/// tool's command.
pub fn module_remedy(source: Option<&str>, tool: &str) -> String {
    match source {
        Some(source) if source.starts_with("./") || source.starts_with("../") => "give its folder, too".to_owned(),
        Some(source) => format!("run `{tool} get`, or give --module-source {source}=FOLDER"),
        None => format!("run `{tool} get`"),
    }
}

/// Something that was not given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Missing {
    /// The schema of a provider.
    ProviderSchema {
        /// The full address of the provider.
        provider: Arc<str>,
        /// The number of resource instances that need it.
        resources: usize,
        /// Why it is not known although a document is kept for it, in a sentence without a full stop.
        problem: Option<Arc<str>>,
    },
    /// What a provider makes of optional arguments and blocks that are not set.
    ProviderDefault {
        /// The full address of the provider.
        provider: Arc<str>,
        /// The number of resource instances in which there are some.
        resources: usize,
    },
    /// A module.
    Module {
        /// The address of its call, without instance keys.
        address: Arc<str>,
        /// The source as written, if it is constant.
        source: Option<Arc<str>>,
        /// The version constraint, if there is one and the module was looked for.
        version: Option<Arc<str>>,
        /// Whether it is there, but not followed: the calls lead in a circle, or there are too many.
        is_found: bool,
    },
    /// What a data source would read.
    DataSource {
        /// The address of the instance.
        address: Arc<str>,
    },
    /// The state of another configuration.
    RemoteState {
        /// The address of the data source.
        address: Arc<str>,
    },
    /// The value of a variable.
    Variable {
        /// Its name.
        name: Arc<str>,
    },
    /// A file that an expression reads and that is not there, or not among those of the request.
    File {
        /// Its path as an expression has it; `.` if something depends on the directory in which the tool is run, `~` on
        /// the home directory of its user.
        path: Arc<str>,
    },
    /// The result of a provider's function, or of one whose result depends on the tool's own compressor.
    ProviderFunction {
        /// Its whole name.
        name: Arc<str>,
    },
    /// The object that is imported.
    Import {
        /// The address of the instance.
        address: Arc<str>,
    },
    /// The number or the keys of the instances of an object, which are left out.
    Instances {
        /// The address of the object, without the key that is not known.
        address: Arc<str>,
        /// What would have to be known, with the options that give it.
        needs: Arc<str>,
        /// Whether it is a resource or data source, not a called module.
        is_resource: bool,
    },
    /// The time of the plan.
    Timestamp,
    /// The rules of the version were read, but not recorded.
    VersionUnrecorded {
        /// The version.
        version: Arc<str>,
    },
}

impl Missing {
    /// Returns the number of bytes that have to be looked at to compare it with another one.
    pub fn length(&self) -> usize {
        match self {
            Self::ProviderSchema { provider: text, .. }
            | Self::ProviderDefault { provider: text, .. }
            | Self::Module { address: text, .. }
            | Self::DataSource { address: text }
            | Self::RemoteState { address: text }
            | Self::Variable { name: text }
            | Self::File { path: text }
            | Self::ProviderFunction { name: text }
            | Self::Import { address: text }
            | Self::Instances { address: text, .. }
            | Self::VersionUnrecorded { version: text } => text.len(),
            Self::Timestamp => 0,
        }
    }
}
