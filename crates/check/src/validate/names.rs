//! Names in expressions: what a reference leads to, and what is wrong with it before anything is evaluated
//! (validate.md, section 3).

use std::cell::OnceCell;
use std::sync::Arc;

use foldhash::HashMap;

use super::codes;
use super::deprecated::{SchemaMarks, ValueUse};
use super::nodes::{Dependency, NodeId};
use super::schemas::Configuration;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Span};
use overfold_base::nearest::hint;
use overfold_dialect::{Behaviour, BuiltinKind, DialectSpec, words};
use overfold_eval::{self as eval, FunctionSet};
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::codes::INVALID_REFERENCE;
use overfold_model::language::references::{AddressWords, ResourceMode, Subject};
use overfold_model::schema::{self, BodySchema, PathRules};
use overfold_model::scope::{self, Definitions, Language, Reference, References};
use overfold_syntax::statics::TraversalStep;
use overfold_syntax::{ExprAt, Forest};
use overfold_tree::calls::Call;
use overfold_tree::module_tree::TreeModule;
use overfold_value::{Marks, Type, Value};

/// What an expression may refer to, depending on where it stands.
#[derive(Clone, Copy, Default, Debug)]
pub struct NameScope<'a> {
    /// Whether `count.index` exists.
    pub count: bool,
    /// Whether `each.key` and `each.value` exist.
    pub each: bool,
    /// Whether the expression is part of an action, where `caller` exists.
    pub is_action: bool,
    /// The object that `self` stands for.
    pub this: Option<ObjectAddr<'a>>,
    /// The check around the expression, whose data source it may name.
    pub check: Option<&'a str>,
    /// What is used of its value.
    pub used: ValueUse,
}

/// A resource of any mode.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    /// Its node.
    pub node: NodeId,
    /// Whether it has `count`, or `for_each`, or neither.
    pub repetition: RepetitionKind,
    /// The name of the check that contains it.
    pub check: Option<&'a str>,
    /// What is known of its type.
    pub schema: ObjectSchema,
    /// What is known of its value; `None`: nothing.
    pub value: OnceCell<Option<Value>>,
}

/// Whether an object has several instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionKind {
    /// It has one.
    No,
    /// By a number.
    Count,
    /// By keys.
    ForEach,
}

impl RepetitionKind {
    /// Returns how the object of a block is repeated.
    pub(crate) fn from_block(block: &Block<'_>) -> Self {
        let has = |name: &str| block.arguments.iter().any(|found| found.spec.is_some() && found.name == name);
        if has(words::COUNT) {
            Self::Count
        } else if has(words::FOR_EACH) {
            Self::ForEach
        } else {
            Self::No
        }
    }
}

/// What is known of the type of an object.
#[derive(Clone, Debug)]
pub enum ObjectSchema {
    /// Nobody has said anything about its provider.
    NotGiven,
    /// The provider has no such type.
    NoSuchType,
    /// The schema.
    Known(Arc<BodySchema>),
}

impl ObjectSchema {
    /// Returns the schema, if there is one.
    pub fn known(&self) -> Option<&Arc<BodySchema>> {
        match self {
            Self::Known(schema) => Some(schema),
            Self::NotGiven | Self::NoSuchType => None,
        }
    }
}

/// What the names of one module lead to.
pub struct Names<'a> {
    pub(crate) forest: &'a Forest,
    pub(crate) module: &'a TreeModule<'a>,
    pub(crate) words: AddressWords,
    pub(crate) functions: &'static FunctionSet,
    /// What the module defines.
    pub definitions: &'a Definitions<'a>,
    /// The resources and data sources, by address.
    pub resources: HashMap<ObjectAddr<'a>, Resource<'a>>,
    /// The nodes of variables (that of their rules, if they have any), local values, outputs and module calls.
    pub(crate) nodes: HashMap<ObjectAddr<'a>, NodeId>,
    /// The position of each call, by name.
    pub calls: HashMap<&'a str, usize>,
    /// The value of each call while nothing is known, in order of the calls.
    pub(crate) call_values: Vec<Value>,
    /// The addresses of resources as texts, once one is suggested.
    pub(crate) addresses: OnceCell<Vec<String>>,
    /// Whether something deprecated may mark values: outputs of called modules, or attributes of resources.
    pub has_deprecated: bool,
    /// Whether references to attributes of resources may be warnings, because a schema calls the attributes deprecated.
    pub has_deprecated_attributes: bool,
    /// Whether names may be missing because a file of the module is damaged: then nothing is said to be undeclared.
    pub(crate) is_damaged: bool,
}

/// What is wrong with the references of an expression or a block, by the step in which the tool finds it.
#[derive(Default, Debug)]
pub struct Steps {
    /// References that are not well-formed.
    pub(crate) malformed: Diagnostics,
    /// Objects that do not exist, instance keys, and paths that a schema does not have.
    pub(crate) statics: Diagnostics,
    /// Names that have no value.
    pub(crate) names: Diagnostics,
    /// What the evaluation and the schema find.
    pub(crate) evaluation: Diagnostics,
}

impl Steps {
    /// Whether the references as such are in order, so that the tool evaluates.
    pub fn is_evaluated(&self) -> bool {
        !(self.malformed.has_errors() || self.statics.has_errors() || self.names.has_errors())
    }

    /// Gives functions with a namespace that do not exist the title under which the tool reports them where it evaluates
    /// whole arguments.
    #[must_use]
    pub(crate) fn with_function_titles(mut self, forest: &Forest) -> Self {
        if self.evaluation.is_empty() {
            return self;
        }
        let is_qualified = |at: Span| forest.sources.text(at).contains("::");
        self.evaluation = self.evaluation.map(|finding| {
            if finding.code == &eval::codes::UNKNOWN_FUNCTION && finding.span.is_some_and(is_qualified) {
                finding.summary = "Unknown provider function".into();
            }
        });
        self
    }

    /// Passes all findings on; those of a step that the tool does not reach as ones that it reports later.
    pub fn finish(self, out: &mut Diagnostics) {
        let is_evaluated = self.is_evaluated();
        let has_values = !self.statics.has_errors();
        out.append(self.malformed);
        out.append(self.statics);
        out.append(later_unless(has_values, self.names));
        out.append(later_unless(is_evaluated, self.evaluation));
    }
}

/// Returns findings as they are if the tool reaches them, otherwise as ones that it reports later.
pub(crate) fn later_unless(reached: bool, found: Diagnostics) -> Diagnostics {
    if reached { found } else { found.map(|finding| finding.origin = finding.origin.later()) }
}

impl<'a> Names<'a> {
    /// Returns the references in an expression, except those to names that are `bound` around it.
    pub fn references(&self, language: &Language<'a>, expr: ExprAt, bound: &[Arc<str>]) -> References<'a> {
        let is_bound = |root: &str| bound.iter().skimmed(4).any(|name| **name == *root);
        References::new(language.forest, language.words, self.definitions, expr, is_bound)
    }

    /// Reports what is wrong with the references of an expression.
    pub fn check(&self, references: &References<'_>, place: &NameScope<'_>, steps: &mut Steps) {
        for reference in references.list.iter().charged(2) {
            if !reference.malformed.is_empty() {
                steps.malformed.extend(reference.malformed.iter().cloned());
                self.nameless(reference, &mut steps.names);
            }
            let Some(subject) = &reference.subject else { continue };
            let object = match (subject, place.this) {
                (Subject::This, None) => {
                    let detail = "`self` exists only in provisioners, connections and postconditions. Refer to the object by its address.";
                    steps.statics.push(Diagnostic::tool(&scope::codes::NO_SELF, reference.span, detail));
                    continue;
                }
                (Subject::This, this) => this,
                (Subject::Caller, _) => {
                    if !place.is_action {
                        let detail = "`caller` exists only in the configuration of an action.";
                        steps.statics.push(Diagnostic::tool(&scope::codes::NO_CALLER, reference.span, detail));
                    }
                    continue;
                }
                (Subject::Resource { mode, type_name, name, .. }, _) => {
                    Some(ObjectAddr::Resource { mode: *mode, type_name, name })
                }
                (Subject::Module { name, .. }, _) => {
                    self.call(name, reference.span, &mut steps.statics);
                    continue;
                }
                _ => None,
            };
            let Some(address) = object else {
                self.name(reference, place, &mut steps.names);
                continue;
            };
            self.resource(address, reference, place, &mut steps.statics);
        }
    }

    /// Returns the warnings about references to deprecated attributes. `this` is the object that `self` stands for.
    pub fn deprecated_attributes(
        &self,
        references: &References<'_>,
        this: Option<ObjectAddr<'_>>,
    ) -> Vec<Diagnostic> {
        let mut found = Diagnostics::new();
        let place = NameScope { this, ..NameScope::default() };
        for reference in &references.list {
            account::work(2);
            let address = match &reference.subject {
                Some(Subject::This) => this,
                Some(Subject::Resource { mode, type_name, name, .. }) => {
                    Some(ObjectAddr::Resource { mode: *mode, type_name, name })
                }
                _ => None,
            };
            if let Some(address) = address {
                self.resource(address, reference, &place, &mut found);
            }
        }
        let mut found = found.into_vec();
        found.retain(|found| found.code == &schema::codes::DEPRECATED_ATTRIBUTE);
        found
    }

    /// The tool looks up the empty name of a reference that is too short, and reports it without a place.
    fn nameless(&self, reference: &Reference<'_>, out: &mut Diagnostics) {
        let wording: (&'static Code, &str) = match &*reference.root {
            "var" => (&scope::codes::UNDECLARED_VARIABLE, "The reference does not name an input variable."),
            "local" => (&scope::codes::UNDECLARED_LOCAL, "The reference does not name a local value."),
            "path" => (&scope::codes::PATH_ATTRIBUTE, "The reference does not name an attribute of `path`."),
            "each" => (&scope::codes::EACH_ATTRIBUTE, "The reference does not name an attribute of `each`."),
            "count" => (&scope::codes::COUNT_ATTRIBUTE, "The reference does not name an attribute of `count`."),
            root if self.module.report.dialect.rules.references.tool_word == Some(root) || root == "terraform" => {
                (&scope::codes::TERRAFORM_ATTRIBUTE, "The reference does not name an attribute of `terraform`.")
            }
            _ => return,
        };
        out.push(Diagnostic::tool(wording.0, None, wording.1).and("the reference", reference.whole));
    }

    /// Checks that a module call exists.
    fn call(&self, name: &str, at: Span, out: &mut Diagnostics) {
        if self.is_damaged || self.calls.contains_key(name) {
            return;
        }
        let hint = hint(name, self.module.calls.iter().map(|call| call.call.name));
        let detail = format!("The module has no module call named {name:?}.{hint}");
        out.push(Diagnostic::tool(&scope::codes::UNDECLARED_MODULE, at, detail));
    }

    /// Checks a reference to a resource of any mode, and the path behind it.
    fn resource(
        &self,
        address: ObjectAddr<'_>,
        reference: &Reference<'_>,
        place: &NameScope<'_>,
        out: &mut Diagnostics,
    ) {
        let is_self = matches!(reference.subject, Some(Subject::This));
        if matches!(address, ObjectAddr::Resource { mode: ResourceMode::Action, .. }) {
            let detail = "An action has no value, so an expression cannot refer to it.";
            out.push(Diagnostic::tool(&INVALID_REFERENCE, reference.span, detail));
            return;
        }
        let Some(resource) = self.resources.get(&address) else {
            if !self.is_damaged && !is_self {
                let detail = format!("The module does not declare {address}.{}", self.similar_resource(address));
                out.push(Diagnostic::tool(&scope::codes::UNDECLARED_RESOURCE, reference.span, detail));
            }
            return;
        };
        let has_key = matches!(reference.subject, Some(Subject::Resource { key: Some(_), .. }));
        match (has_key, resource.repetition) {
            (true, RepetitionKind::No) => {
                let detail = format!(
                    "{address} has neither `count` nor `for_each`, so it has a single instance, which has no key. Remove the brackets."
                );
                out.push(Diagnostic::tool(&codes::UNEXPECTED_KEY, reference.span, detail));
            }
            (false, RepetitionKind::Count | RepetitionKind::ForEach) if reference.remaining > 0 && !is_self => {
                let (argument, key) = match resource.repetition {
                    RepetitionKind::Count => (words::COUNT, "count.index"),
                    _ => (words::FOR_EACH, "each.key"),
                };
                let detail = format!(
                    "{address} has `{argument}`, so its attributes are those of an instance. Select one with a key, such as {address}[{key}]."
                );
                out.push(Diagnostic::tool(&codes::MISSING_KEY, reference.span, detail));
            }
            _ => {}
        }
        if let Some(check) = resource.check.filter(|check| place.check != Some(check)) {
            let detail = format!(
                "{address} is declared inside of check {check:?}, so only the assertions of that check can refer to it."
            );
            out.push(Diagnostic::tool(&codes::SCOPED_RESOURCE, reference.span, detail));
            return;
        }
        if matches!(resource.schema, ObjectSchema::NoSuchType) {
            let detail = format!("The provider of {address} has no such type.");
            out.push(Diagnostic::tool(&codes::NO_SUCH_TYPE, reference.span, detail));
            return;
        }
        if reference.remaining == 0 {
            return;
        }
        let Some(written) = reference.written else { return };
        let path = written.len().saturating_sub(reference.remaining);
        let schema = match &resource.schema {
            ObjectSchema::NoSuchType | ObjectSchema::NotGiven => None,
            ObjectSchema::Known(schema) => Some(schema),
        };
        if written.attr(path) == Some(words::COUNT) {
            if schema.is_some() {
                let detail = format!(
                    "Resources have no attribute `count`. For the number of instances, write length({address})."
                );
                out.push(Diagnostic::tool(&codes::RESOURCE_COUNT, reference.span, detail));
            }
            return;
        }
        if let Some(schema) = schema {
            schema::check_path(schema, &written.steps(path), path_rules(self.module.report.dialect), out);
        }
    }

    /// Returns a question that suggests the resource that was meant.
    fn similar_resource(&self, address: ObjectAddr<'_>) -> String {
        if let ObjectAddr::Resource { mode, type_name, name } = address {
            let other = match mode {
                ResourceMode::Managed => ResourceMode::Data,
                _ => ResourceMode::Managed,
            };
            for mode in [other, ResourceMode::Ephemeral] {
                let other = ObjectAddr::Resource { mode, type_name, name };
                if self.resources.contains_key(&other) {
                    return format!(" Did you mean {:?}?", other.to_string());
                }
            }
            if let Some(suggestion) = self.root_name(type_name, name) {
                return suggestion;
            }
        }
        let elements = &self.module.report.module.elements;
        if !account::work_on_suggestion(elements.len() as u64) {
            return String::new();
        }
        let texts = self.addresses.get_or_init(|| {
            // In order of declaration, so that of two equally similar addresses it is always the same.
            let declared = elements.iter().map(|element| element.address);
            let resources = declared.filter(|address| matches!(address, ObjectAddr::Resource { .. }));
            resources.map(|address| address.to_string()).collect()
        });
        hint(&address.to_string(), texts.iter().map(String::as_str))
    }

    /// Returns a question for a reference whose root name is a misspelt keyword: `locals.x`, `vars.x`.
    fn root_name(&self, root: &str, name: &str) -> Option<String> {
        let meant = match root {
            "locals" | "loca" | "locale" => "local",
            "vars" | "variable" | "variables" | "v" => "var",
            "modules" => "module",
            _ => return None,
        };
        let exists = match meant {
            "local" => self.definitions.local_named(name).is_some(),
            "var" => self.definitions.variable_named(name).is_some(),
            _ => self.calls.contains_key(name),
        };
        exists.then(|| format!(" Did you mean \"{meant}.{name}\"?"))
    }

    /// Checks a reference to anything but a resource or a module call.
    fn name(&self, reference: &Reference<'_>, place: &NameScope<'_>, out: &mut Diagnostics) {
        let (code, detail) = match (reference.fault(), &reference.subject) {
            (Some(scope::Fault::UndeclaredVariable(_) | scope::Fault::UndeclaredLocal(_)), _) if self.is_damaged => {
                return;
            }
            (Some(fault), _) => fault.wording(self.definitions),
            (None, Some(Subject::Terraform(name)))
                if !self.module.report.dialect.has_builtin(BuiltinKind::ToolAttribute, name) =>
            {
                let detail = format!("In this version `{}` has no attribute {name:?}.", reference.root);
                (&scope::codes::TERRAFORM_ATTRIBUTE, detail)
            }
            (None, Some(Subject::Count(name))) if name != "index" => {
                (&scope::codes::COUNT_ATTRIBUTE, format!("`count` has no attribute {name:?}; it has only index."))
            }
            (None, Some(Subject::Count(_))) if !place.count => (
                &scope::codes::NO_COUNT,
                "`count.index` is available only inside of a block that has `count`.".to_owned(),
            ),
            (None, Some(Subject::Each(name))) => match &**name {
                "key" | "value" if place.each => return,
                "key" => (
                    &scope::codes::NO_EACH,
                    "`each.key` is available only inside of a block that has `for_each`.".to_owned(),
                ),
                "value" => (
                    &scope::codes::NO_EACH_VALUE,
                    "`each.value` is available only inside of a block that has `for_each`.".to_owned(),
                ),
                _ => (
                    &scope::codes::EACH_ATTRIBUTE,
                    format!("`each` has no attribute {name:?}; it has key and value."),
                ),
            },
            _ => return,
        };
        out.push(Diagnostic::tool(code, reference.span, detail));
    }

    /// Returns the value of an object `root.NAME`, if it is not a definition of the module.
    pub(crate) fn value(&self, subject: &Subject<'_>) -> Option<Value> {
        Some(match subject {
            Subject::Module { name, .. } => self
                .calls
                .get(&**name)
                .and_then(|&at| self.call_values.get(at))
                .cloned()
                .unwrap_or_else(Value::dynamic),
            Subject::Terraform(name) if name == "applying" => Value::unknown(Type::Bool).with_marks(Marks::EPHEMERAL),
            Subject::Path(name) if name == "module" => self.module.path_value(),
            Subject::Each(name) if name == "key" => Value::unknown(Type::String),
            Subject::Each(_) => Value::dynamic(),
            Subject::Resource { mode, type_name, name, .. } => {
                return self.resource_value(ObjectAddr::Resource { mode: *mode, type_name, name });
            }
            _ => return None,
        })
    }

    /// Returns what is known of the value of a resource before a plan; `None`: nothing.
    pub(crate) fn resource_value(&self, address: ObjectAddr<'_>) -> Option<Value> {
        let dialect = self.module.report.dialect;
        let is_object = dialect.has(Behaviour::SingleResourcesAreObjects);
        if !is_object && !dialect.has(Behaviour::SingleResourcesAreTyped) {
            return None;
        }
        let ObjectAddr::Resource { mode: ResourceMode::Managed | ResourceMode::Data, .. } = address else {
            return None;
        };
        let resource = self.resources.get(&address)?;
        let marks = SchemaMarks::for_dialect(dialect);
        let value = || {
            let schema = resource.schema.known()?;
            if resource.repetition == RepetitionKind::No {
                return Some(single(schema, is_object, marks));
            }
            // What is not known at all is marked as a whole, too.
            let own = if marks == SchemaMarks::All { marks.of_whole(schema) } else { Marks::NONE };
            (!own.is_empty()).then(|| Value::dynamic().with_marks(own))
        };
        resource.value.get_or_init(value).clone()
    }

    /// Adds what an expression with these references depends on.
    pub(crate) fn dependencies(
        &self,
        references: &References<'_>,
        place: &NameScope<'_>,
        into: &mut Vec<Dependency>,
    ) {
        account::work(references.list.len() as u64);
        account::reserve(into, references.list.len());
        let subjects = references.list.iter().filter_map(|reference| reference.subject.as_ref());
        into.extend(subjects.filter_map(|subject| self.dependency(subject, place)));
        if references.calls_provider() && self.module.report.dialect.has(Behaviour::FunctionsWaitForProviders) {
            into.extend(references.provider_calls.iter().filter_map(|call| self.provider_of(call.name)));
        }
    }

    /// Returns the provider configuration that a function of a provider belongs to, if the module requires the provider.
    fn provider_of(&self, function: &str) -> Option<Dependency> {
        account::work(4);
        let mut parts = function.touched().strip_prefix("provider::")?.split("::");
        let name = parts.next()?;
        let alias = parts.next().filter(|_| parts.next().is_some());
        let is_required = self.module.summary.providers.required().any(|(required, _)| *required == *name);
        let configuration = || Configuration { name: name.into(), alias: alias.map(Into::into) };
        is_required.then(|| Dependency::Provider(configuration()))
    }

    /// Checks the path behind the address of a resource, if that is declared.
    pub(crate) fn path(&self, address: ObjectAddr<'_>, steps: &[TraversalStep<'_>], out: &mut Diagnostics) {
        let resource = self.resources.get(&address);
        if let Some(ObjectSchema::Known(schema)) = resource.map(|resource| &resource.schema) {
            schema::check_path(schema, steps, path_rules(self.module.report.dialect), out);
        }
    }

    /// Returns what a reference to this subject depends on.
    pub(crate) fn dependency(&self, subject: &Subject<'_>, place: &NameScope<'_>) -> Option<Dependency> {
        let node = |address: ObjectAddr<'_>| self.nodes.get(&address).copied().map(Dependency::Node);
        let resource =
            |address: ObjectAddr<'_>| self.resources.get(&address).map(|found| Dependency::Node(found.node));
        match subject {
            Subject::Resource { mode, type_name, name, .. } => {
                resource(ObjectAddr::Resource { mode: *mode, type_name, name })
            }
            Subject::This => place.this.and_then(resource),
            Subject::Variable(name) => node(ObjectAddr::Variable(name)),
            Subject::Local(name) => node(ObjectAddr::Local(name)),
            Subject::Module { name, output, .. } => {
                let call = *self.calls.get(&**name)?;
                Some(match output {
                    Some(output) => Dependency::Output { call, name: (&**output).into() },
                    None => Dependency::Module { call },
                })
            }
            Subject::Path(_) | Subject::Terraform(_) | Subject::Count(_) | Subject::Each(_) | Subject::Caller => None,
        }
    }
}

/// Returns the value of a single resource while nothing is known but its schema: an object of unknown attributes, or an
/// unknown object. Without `is_object`, the second, unless attributes are sensitive or deprecated: these are marked.
fn single(schema: &BodySchema, is_object: bool, deprecation: SchemaMarks) -> Value {
    let ty = schema.implied_type();
    let is_sensitive = |name: &str| schema.attributes.get(name).is_some_and(|attribute| attribute.sensitive);
    let attributes = ty.attributes();
    account::work(attributes.len() as u64 * 4);
    let has_deprecated = deprecation.apply_to(schema);
    if !is_object && !has_deprecated && !attributes.iter().any(|attribute| is_sensitive(&attribute.name)) {
        return Value::unknown(ty);
    }
    let entries = attributes.iter().map(|attribute| {
        let secret = !is_object && is_sensitive(&attribute.name);
        let secrecy = if secret { Marks::SENSITIVE } else { Marks::NONE };
        let of_schema = if has_deprecated { deprecation.of_unknown(schema, &attribute.name) } else { Marks::NONE };
        (Arc::clone(&attribute.name), Value::unknown(attribute.ty.clone()).with_marks(secrecy.and(of_schema)))
    });
    Value::object(entries.collect()).with_marks(deprecation.of_whole(schema))
}

/// Returns how a dialect checks the paths of references.
pub(super) fn path_rules(dialect: &DialectSpec) -> PathRules {
    PathRules {
        late: !dialect.has(Behaviour::ObjectsIndexedByType),
        warns_of_deprecated: !dialect.has(Behaviour::DeprecatedAttributesMarkValues),
    }
}

/// Returns the value of a call while nothing is known: an object of the outputs of the called module, or for a repeated
/// call a list or map of such objects. Nothing is claimed about a module that is not there.
pub(crate) fn call_value(call: &Call<'_>, called: Option<&TreeModule<'_>>) -> Value {
    let Some(called) = called else { return Value::dynamic() };
    let object = called.outputs().clone();
    let repeated = RepetitionKind::from_block(call.block);
    let is_object = called.report.dialect.has(Behaviour::SingleModulesAreObjects);
    if repeated == RepetitionKind::No && (is_object || called.marks_deprecated()) {
        let outputs = called.outputs().attributes().iter();
        let outputs = outputs.charged(1).map(|output| {
            let value = Value::unknown(output.ty.clone());
            let is_deprecated = called.marks_deprecated() && called.deprecated_outputs().contains(&*output.name);
            let marks = if is_deprecated { Marks::DEPRECATED } else { Marks::NONE };
            (Arc::clone(&output.name), value.with_marks(marks))
        });
        return Value::object(outputs.collect());
    }
    Value::unknown(match repeated {
        RepetitionKind::No => object,
        RepetitionKind::Count => Type::list(object),
        RepetitionKind::ForEach => Type::map(object),
    })
}
