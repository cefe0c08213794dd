//! What came of a plan.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::run::{parse, range_in};
use crate::{Diagnostic, Error, Severity, Value};

/// A plan, what it could not know, and what is wrong with the configuration.
#[derive(Clone, Debug)]
pub struct PlanReport {
    /// Where the document stands in the answer.
    document: Option<Range<usize>>,
    version: String,
    valid: bool,
    exact: bool,
    missing: Vec<MissingPart>,
    diagnostics: Vec<Diagnostic>,
    resources: Vec<PlannedResource>,
    outputs: BTreeMap<String, Value>,
    answer: String,
}

/// Something that was not given, so that values are unknown which the tool would know.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MissingPart {
    /// What it is, such as `provider-schema`, `data-source`, `module`, `variable` or `file`. Further kinds may be added.
    pub kind: String,
    /// The address of the object concerned.
    pub address: Option<String>,
    /// The address of the provider concerned.
    pub provider: Option<String>,
    /// The name of a variable or function.
    pub name: Option<String>,
    /// The path of a file.
    pub path: Option<String>,
    /// The source of a module, if it is constant.
    pub source: Option<String>,
    /// The version constraint of a module, or the version whose rules were not recorded by running it.
    pub version: Option<String>,
    /// What would have to be known of an object whose instances are left out.
    pub needs: Option<String>,
}

/// An instance of a resource or data source in a plan.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PlannedResource {
    /// The address, such as `module.net.aws_subnet.a[0]`.
    pub address: String,
    /// The address of the module instance, such as `module.net`; `None` in the root module.
    pub module: Option<String>,
    /// The key, a number or a string; `None` if the resource has neither `count` nor `for_each`.
    pub key: Option<Value>,
    /// Whether it is `managed` or `data`.
    pub mode: String,
    /// The type.
    pub type_name: String,
    /// The name.
    pub name: String,
    /// The address of the provider.
    pub provider: String,
    /// What would be done, such as `create`; of two, the first comes first.
    pub actions: Vec<String>,
    /// The values afterwards.
    pub values: Value,
}

/// The answer of a plan.
#[derive(Deserialize)]
struct Answer<'a> {
    valid: bool,
    version: String,
    #[serde(default)]
    exact: bool,
    #[serde(default)]
    missing: Vec<MissingPart>,
    #[serde(borrow)]
    plan: Option<&'a RawValue>,
    diagnostics: Vec<Diagnostic>,
}

/// What is read of a plan document.
#[derive(Deserialize, Default)]
struct Document {
    #[serde(default)]
    resource_changes: Vec<ResourceChange>,
    #[serde(default)]
    output_changes: BTreeMap<String, Change>,
    #[serde(default)]
    overfold: Notes,
}

/// What overfold notes in a document.
#[derive(Deserialize, Default)]
struct Notes {
    /// Pointers to what is hidden.
    #[serde(default)]
    redacted: HashSet<String>,
}

#[derive(Deserialize)]
struct ResourceChange {
    address: String,
    module_address: Option<String>,
    index: Option<Json>,
    mode: String,
    #[serde(rename = "type")]
    type_name: String,
    name: String,
    provider_name: String,
    change: Change,
}

#[derive(Deserialize)]
struct Change {
    actions: Vec<String>,
    after: Option<Json>,
    #[serde(default)]
    after_unknown: Json,
}

impl PlanReport {
    /// Reads an answer.
    pub(crate) fn new(answer: String) -> Result<Self, Error> {
        let Answer { valid, version, exact, missing, plan, diagnostics } = parse(&answer)?;
        let document = plan.map_or(Ok(Document::default()), |plan| parse(plan.get()))?;
        let is_hidden = |pointer: &str| document.overfold.redacted.contains(pointer);
        let value = |change: &Change, place: &str| {
            Value::read(change.after.as_ref(), &change.after_unknown, place, &is_hidden)
        };
        let resource = |(index, found): (usize, &ResourceChange)| PlannedResource {
            address: found.address.clone(),
            module: found.module_address.clone(),
            key: found.index.clone().map(Value::from),
            mode: found.mode.clone(),
            type_name: found.type_name.clone(),
            name: found.name.clone(),
            provider: found.provider_name.clone(),
            actions: found.change.actions.clone(),
            values: value(&found.change, &format!("/resource_changes/{index}/change/after")),
        };
        let resources = document.resource_changes.iter().enumerate().map(resource).collect();
        let output = |(name, change): (&String, &Change)| {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            (name.clone(), value(change, &format!("/output_changes/{escaped}/after")))
        };
        let outputs = document.output_changes.iter().map(output).collect();
        let document = plan.map(|plan| range_in(&answer, plan.get()));
        Ok(Self { document, version, valid, exact, missing, diagnostics, resources, outputs, answer })
    }

    /// Whether there is no diagnostic of the severity [`Error`](Severity::Error).
    pub const fn is_valid(&self) -> bool {
        self.valid
    }

    /// Whether nothing is unknown that the tool would know.
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// Returns what was not given.
    pub fn missing(&self) -> &[MissingPart] {
        &self.missing
    }

    /// Returns the version whose rules were followed: as it was asked for, or the newest one.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns everything that was found, in the order of the files.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Iterates over the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// Returns the instances of resources and data sources, in the order of the document.
    pub fn resources(&self) -> &[PlannedResource] {
        &self.resources
    }

    /// Returns the instance with this address.
    pub fn resource(&self, address: &str) -> Option<&PlannedResource> {
        self.resources.iter().find(|resource| resource.address == address)
    }

    /// Returns the outputs of the root module, by name.
    pub const fn outputs(&self) -> &BTreeMap<String, Value> {
        &self.outputs
    }

    /// Returns the whole answer as JSON: the bytes that the service answers with for the same files and options.
    pub fn to_json(&self) -> &str {
        &self.answer
    }

    /// Returns the plan alone: the document of `terraform show -json`; `None` if the tool makes no plan.
    pub fn document(&self) -> Option<&str> {
        self.answer.get(self.document.clone()?)
    }
}
