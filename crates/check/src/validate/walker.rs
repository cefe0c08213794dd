//! The walk over the nodes of one module: what the tool finds at each, whatever calls the module.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet};

use super::body::{self, Body, BodyExpr, HiddenExpansions, Role};
use super::conditions::Message;
use super::deprecated::{ValueUse, without_deprecated_in_condition};
use super::evaluation::{Evaluation, RUN, UnknownVariables};
use super::names::{NameScope, ObjectSchema, RepetitionKind, Steps, later_unless, path_rules};
use super::nodes::{self, Dependency, Node, NodeId, NodeKind, is_error};
use super::schemas::Schemas;
use super::{codes, meta};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Severity};
use overfold_dialect::{Behaviour, words};
use overfold_eval::{FileAccess, ProviderFunctions, Roots};
use overfold_model::config::{Argument, Block, Element, ObjectAddr, is_set};
use overfold_model::language::references::ResourceMode;
use overfold_model::schema;
use overfold_model::scope::{Definitions, Evaluator, Language, References};
use overfold_syntax::ExprAt;
use overfold_tree::calls;
use overfold_tree::module_tree::TreeModule;
use overfold_value::Value;

mod bodies;
mod warnings;

use bodies::BodyEvaluation;

pub use warnings::deprecated_argument;

/// One module, walked.
pub struct ModuleNodes<'a> {
    /// The module.
    pub module: &'a TreeModule<'a>,
    /// Whether it is the root module.
    pub(super) is_root: bool,
    /// Whether it is at the root of the walk, but a module that others call.
    pub(crate) is_called: bool,
    /// Whether it is at the root of the walk, but may request provider configurations from a caller.
    pub(crate) takes_providers: bool,
    /// What the tool visits in it.
    pub nodes: Vec<Node<'a>>,
    /// The evaluation, for what depends on the call of the module.
    pub evaluation: Evaluation<'a>,
    /// The nodes of variables, outputs and so on, and those of arguments by call and name.
    pub inputs: HashMap<(usize, &'a str), NodeId>,
    /// The values of the arguments that calls pass, by call and name; unknown where there is an error.
    pub(crate) passed: HashMap<(usize, &'a str), Value>,
    /// The targets of `import` blocks, without keys, of which one is wrong.
    pub(super) wrong_imports: HashSet<String>,
    /// How the resources of modules are repeated into which `import` blocks import, by the position of the module.
    pub(super) repetitions: HashMap<usize, HashMap<ObjectAddr<'a>, RepetitionKind>>,
}

/// What is found at one node.
#[derive(Default)]
pub(crate) struct Visit {
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) out: Diagnostics,
}

/// What the walk of a module needs besides the module.
#[derive(Clone)]
pub struct Walk<'a> {
    /// The modules, the root module first.
    pub tree: &'a [TreeModule<'a>],
    /// The schemas of providers.
    pub schemas: Schemas<'a>,
    pub(crate) files: FileAccess<'a>,
    /// Whether the first module is one that others call.
    pub(crate) is_called: bool,
    /// Whether the tree is looked at for a plan, for which modules are installed first.
    pub(crate) is_planned: bool,
    /// Whether what most providers refuse is reported, too.
    pub checks_with_providers: bool,
}

/// Returns the argument of this name that the language itself reads.
pub fn meta_argument<'b, 'f>(block: &'b Block<'f>, name: &str) -> Option<&'b Argument<'f>> {
    block.arguments.iter().skimmed(16).find(|found| found.spec.is_some() && found.name == name)
}

/// Returns the nested blocks of this type that the language itself reads.
pub fn meta_blocks<'b, 'f>(block: &'b Block<'f>, keyword: &str) -> impl Iterator<Item = &'b Block<'f>> {
    block.blocks.iter().skimmed(16).filter(move |inner| inner.spec.is_some() && inner.keyword == keyword)
}

/// The time of a plan while there is none, where that is not unknown.
const YEAR_ONE: &str = "0001-01-01T00:00:00Z";

impl<'a> ModuleNodes<'a> {
    /// Walks a module of the tree.
    pub(crate) fn new(
        walk: &Walk<'a>,
        module: &'a TreeModule<'a>,
        definitions: &'a Definitions<'a>,
        providers: &'a ProviderFunctions,
    ) -> Self {
        let report = module.report;
        let language = Language::new(report.dialect, report.forest, walk.files.clone());
        let is_early = !walk.is_planned && report.dialect.has(Behaviour::PlanTimestampOfYearOne);
        let plan_time = is_early.then_some(YEAR_ONE);
        let assumes_functions = report.dialect.has(Behaviour::FunctionsAreLookedUpInPlans);
        let language = Language { providers: Some(providers), assumes_functions, plan_time, ..language };
        let (nodes, names) = nodes::collect(walk.tree, module, definitions, walk.schemas);
        let evaluator = Evaluator::new(UnknownVariables { names }, language, definitions, RUN);
        let is_first = walk.tree.first().is_some_and(|root| std::ptr::eq(root, module));
        let mut walked = Self {
            module,
            is_root: module.is_tested || is_first && !walk.is_called,
            is_called: is_first && walk.is_called,
            takes_providers: is_first
                && (walk.is_called || !walk.is_planned && report.dialect.has(Behaviour::RootModulesRequestProviders)),
            nodes,
            evaluation: Evaluation { evaluator },
            inputs: HashMap::new(),
            passed: HashMap::new(),
            wrong_imports: HashSet::default(),
            repetitions: HashMap::new(),
        };
        for at in 0..walked.nodes.len() {
            walked.visit(walk, at);
        }
        walked
    }

    /// Returns the node of a variable (that of its rules, if it has any), local value, output or call.
    pub fn node(&self, address: ObjectAddr<'_>) -> Option<NodeId> {
        self.evaluation.names().nodes.get(&address).copied()
    }

    /// Returns the variables with rules, and the nodes of these.
    pub(super) fn with_rules(&self) -> impl Iterator<Item = (NodeId, &'a Element<'a>)> {
        self.nodes.iter().enumerate().filter_map(|(id, node)| match node.kind {
            NodeKind::Rules(element) => Some((id, element)),
            _ => None,
        })
    }

    /// Returns the node of a variable itself, on which that of its rules depends.
    pub fn variable_node(&self, name: &str) -> Option<NodeId> {
        let node = self.node(ObjectAddr::Variable(name))?;
        let own = self.nodes.get(node)?;
        match (own.kind, own.dependencies.first()) {
            (NodeKind::Rules(_), Some(Dependency::Node(variable))) => Some(*variable),
            _ => Some(node),
        }
    }

    fn visit(&mut self, walk: &Walk<'a>, at: NodeId) {
        let Some(&Node { kind, address, .. }) = self.nodes.get(at) else { return };
        account::work(8);
        let mut visit = Visit::default();
        match kind {
            NodeKind::Variable => {}
            NodeKind::Local => self.local(address, &mut visit),
            NodeKind::Rules(element) => {
                if let Some(variable) = self.variable(element) {
                    let unknown = variable.unknown().with_marks(variable.marks);
                    let given_at = (self.is_root || self.is_called).then_some(element.block.header);
                    self.rules(element, &unknown, given_at, &mut visit);
                }
            }
            NodeKind::Provider(block) => self.provider(walk, block, &mut visit),
            NodeKind::Resource(block) => self.resource(walk, block, address, &mut visit),
            NodeKind::Call(_) => {
                let block = match kind {
                    NodeKind::Call(call) => self.module.calls.get(call).map(|call| call.call.block),
                    _ => None,
                };
                if let Some(block) = block {
                    self.repetition(block, &mut visit);
                    self.depends_on(block, &mut visit);
                }
            }
            NodeKind::Input(call, argument) => {
                self.inputs.insert((call, argument.name), at);
                let value = self.input(walk, call, argument, &mut visit);
                self.passed.insert((call, argument.name), value);
            }
            NodeKind::Output(block) => self.output(block, &mut visit),
            NodeKind::Check(block) => self.check(block, address, &mut visit),
            NodeKind::Import(block) => return self.import(walk, at, block),
        }
        self.take(at, visit);
    }

    pub(crate) fn take(&mut self, at: NodeId, visit: Visit) {
        let Some(node) = self.nodes.get_mut(at) else { return };
        let mut dependencies = visit.dependencies;
        account::work(dependencies.len() as u64);
        if node.dependencies.is_empty() {
            node.dependencies = dependencies;
        } else {
            account::reserve(&mut node.dependencies, dependencies.len());
            node.dependencies.append(&mut dependencies);
        }
        let all = node.dependencies.len();
        node.dependencies.retain(|dependency| *dependency != Dependency::Node(at));
        node.refers_to_itself |= node.dependencies.len() < all;
        node.found.extend(visit.out.into_vec());
        node.failed |= node.found.iter().any(is_error);
    }

    fn local(&mut self, address: ObjectAddr<'a>, visit: &mut Visit) {
        let definitions = self.evaluation.evaluator.known.definitions;
        let Some(id) = definitions.local_named(address.name()) else { return };
        self.evaluation.evaluator.require_local(id);
        if let Some(local) = self.evaluation.evaluator.known.local(id) {
            visit.dependencies.clone_from(&local.dependencies);
            visit.out.extend(local.found.iter().cloned());
        }
    }

    fn provider(&mut self, walk: &Walk<'a>, block: &'a Block<'a>, visit: &mut Visit) {
        let is_empty = block.arguments.iter().all(|found| found.spec.is_some() && found.name != words::VERSION)
            && block.escaped.is_empty()
            && block.blocks.is_empty();
        if is_empty || block.is_overridden() {
            return;
        }
        let schema = walk.schemas.configuration(self.module, block);
        let body = Body::new(self.module.report.forest, block, schema.as_deref());
        let checked = self.body(&body, &NameScope::default(), visit);
        if checked.is_sound && walk.checks_with_providers {
            body::check_with_provider(&body, &checked.value, &mut visit.out);
        }
    }

    /// Checks a resource of any mode.
    fn resource(&mut self, walk: &Walk<'a>, block: &'a Block<'a>, address: ObjectAddr<'a>, visit: &mut Visit) {
        let Some(resource) = self.evaluation.names().resources.get(&address).cloned() else { return };
        let place = NameScope {
            count: resource.repetition == RepetitionKind::Count,
            each: resource.repetition == RepetitionKind::ForEach,
            is_action: matches!(address, ObjectAddr::Resource { mode: ResourceMode::Action, .. }),
            ..NameScope::default()
        };
        self.repetition(block, visit);
        self.depends_on(block, visit);
        let mode = match address {
            ObjectAddr::Resource { mode, .. } => Some(mode),
            _ => None,
        };
        let body_failed = match &resource.schema {
            ObjectSchema::NoSuchType => {
                self.no_such_type(walk, block, address, visit);
                true
            }
            schema => {
                let refuses_ephemeral = mode.is_some_and(|mode| mode != ResourceMode::Ephemeral);
                let schema = schema.known().map(|schema| &**schema);
                let lifts_ephemeral_parts = self.module.report.dialect.has(Behaviour::EphemeralPartsAtBody);
                let body = Body::new(self.module.report.forest, block, schema);
                let body = Body { refuses_ephemeral, lifts_ephemeral_parts, ..body };
                let checked = self.body(&body, &place, visit);
                let is_builtin = self.is_builtin(block);
                let is_checked = walk.checks_with_providers && mode != Some(ResourceMode::Ephemeral);
                if checked.is_sound && !is_builtin && is_checked {
                    body::check_with_provider(&body, &checked.value, &mut visit.out);
                }
                if checked.is_sound && is_builtin {
                    let type_name = block.labels.first().map_or("", |label| label.text);
                    let dialect = self.module.report.dialect;
                    body::check_builtin_object(&body, dialect, type_name, &checked.value, &mut visit.out);
                }
                !checked.is_sound
            }
        };
        for lifecycle in meta_blocks(block, words::LIFECYCLE) {
            if let Some(schema) = resource.schema.known() {
                meta::ignored_changes(
                    self.module.report.forest,
                    lifecycle,
                    block,
                    schema,
                    (body_failed, path_rules(self.module.report.dialect)),
                    &mut visit.out,
                );
            }
            self.triggers(block, lifecycle, visit);
        }
        let own = NameScope { this: Some(address), ..place };
        for lifecycle in meta_blocks(block, words::LIFECYCLE) {
            for condition in meta_blocks(lifecycle, words::PRECONDITION) {
                self.resource_condition(condition, &place, visit);
            }
        }
        for lifecycle in meta_blocks(block, words::LIFECYCLE) {
            for condition in meta_blocks(lifecycle, words::POSTCONDITION) {
                self.resource_condition(condition, &own, visit);
            }
        }
        self.provisioners(block, &own, visit);
    }

    /// Whether an object is one of the provider that is built into the tool.
    pub(super) fn is_builtin(&self, block: &Block<'_>) -> bool {
        let configuration = super::schemas::configuration_of(self.module, block);
        Schemas::is_builtin(self.module, &configuration.name)
    }

    fn no_such_type(&mut self, walk: &Walk<'a>, block: &Block<'_>, address: ObjectAddr<'_>, visit: &mut Visit) {
        let ObjectAddr::Resource { mode, type_name, .. } = address else { return };
        let Some(label) = block.labels.first() else { return };
        let configuration = super::schemas::configuration_of(self.module, block);
        let provider = walk.schemas.provider(self.module, &configuration.name);
        let hint = provider
            .map_or_else(String::new, |provider| overfold_base::nearest::hint(type_name, provider.type_names(mode)));
        let (code, what) = match mode {
            ResourceMode::Data => (&codes::NO_SUCH_DATA_SOURCE, "data source"),
            ResourceMode::Ephemeral => (&codes::NO_SUCH_EPHEMERAL, "ephemeral resource"),
            _ => (&codes::NO_SUCH_TYPE, "resource type"),
        };
        let detail = format!("The provider {} has no {what} {type_name:?}.{hint}", configuration.name);
        visit.out.push(Diagnostic::tool(code, label.span, detail));
    }

    /// Checks the provisioners of a resource. After one with an error, or an error before it, those that follow are
    /// not looked at by the tool.
    fn provisioners(&mut self, block: &'a Block<'a>, place: &NameScope<'a>, visit: &mut Visit) {
        let around = meta_blocks(block, words::CONNECTION).next();
        self.winrm(block, visit);
        let mut is_reached = true;
        for provisioner in meta_blocks(block, words::PROVISIONER) {
            let mut own = Visit::default();
            let name = provisioner.labels.first().map_or("", |label| label.text);
            let body = Body::new(self.module.report.forest, provisioner, schema::provisioner(name));
            let checked = self.body(&body, place, &mut own);
            body::check_provisioner(name, &checked.value, self.module.report.dialect, &mut own.out);
            let inner = meta_blocks(provisioner, words::CONNECTION).next();
            if let Some(connection) = inner.or(around) {
                let body = Body::new(self.module.report.forest, connection, Some(schema::connection()));
                self.body(&Body { base: around.filter(|_| inner.is_some()), ..body }, place, &mut own);
            }
            visit.dependencies.append(&mut own.dependencies);
            visit.out.append(later_unless(is_reached, own.out));
            is_reached &= !visit.out.iter().any(is_error);
        }
    }

    /// Checks a body. Returns its value, and whether it is sound.
    fn body(&mut self, body: &Body<'_, 'a>, place: &NameScope<'_>, visit: &mut Visit) -> CheckedBody {
        let expressions = body::expressions(body);
        let is_plain = |found: &BodyExpr| found.role == Role::Argument && !found.in_dynamic;
        if body.schema.is_none() && expressions.iter().all(is_plain) {
            return self.plain_body(&expressions, place, visit);
        }
        let mut references: HashMap<ExprAt, References<'a>> = HashMap::with_capacity(expressions.len());
        let (mut expansion, mut steps, mut unread) = (Steps::default(), Steps::default(), Steps::default());
        for found in &expressions {
            let read = self.evaluation.read(found.expr, place, &found.bound, &mut visit.dependencies);
            if found.role.is_searched_for_expansion() {
                self.evaluation.names().check(&read, place, &mut expansion);
            }
            references.insert(found.expr, read);
        }
        let is_nameless = expansion.statics.has_errors();
        let names = self.evaluation.names();
        let follows_deprecated = names.has_deprecated
            && body.schema.is_some()
            && names.module.report.dialect.has(Behaviour::DeprecatedPartsOfArguments);
        let hidden = HiddenExpansions::new(&expressions, |found, list| {
            let read = references.get(&found.expr);
            for reference in read.into_iter().flat_map(|read| &read.list).charged(4) {
                account::push(list, reference.clone());
            }
        });
        let mut evaluate = BodyEvaluation {
            evaluation: &self.evaluation,
            follows_deprecated,
            references: &references,
            is_nameless,
            hidden_roots: if hidden.is_empty() { Roots::new() } else { self.evaluation.roots_of(hidden.searched()) },
            hidden,
            searched: Vec::new(),
            expansions: HashMap::new(),
        };
        if body.schema.is_some() {
            for found in body::expanded_expressions(body, &mut evaluate) {
                evaluate.searched.push((found.expr, found.times));
            }
        }
        let checked = body::check(body, &mut evaluate, &mut steps.evaluation);
        let searched = evaluate.searched;
        let names = self.evaluation.names();
        for &(expr, times) in &searched {
            let Some(read) = references.get(&expr) else { continue };
            for _ in (0..times).charged(1) {
                names.check(read, place, &mut steps);
            }
        }
        // Without a schema, an argument is there once for each block that is generated.
        if body.schema.is_none() || expressions.len() > searched.len() {
            let searched: HashSet<ExprAt> = searched.into_iter().map(|(expr, _)| expr).collect();
            let is_left = |found: &&BodyExpr| found.role == Role::Argument && !searched.contains(&found.expr);
            for found in expressions.iter().filter(is_left) {
                let Some(read) = references.get(&found.expr) else { continue };
                names.check(read, place, &mut unread);
            }
        }
        let has_references = steps.is_evaluated();
        let is_sound = has_references && expansion.is_evaluated() && checked.is_sound;
        let mut out = Diagnostics::new();
        expansion.finish(&mut out);
        steps.with_function_titles(self.module.report.forest).finish(&mut out);
        let mut later = Diagnostics::new();
        unread.finish(&mut later);
        out.append(later_unless(false, later));
        visit.out.append(out);
        CheckedBody { value: if has_references { checked.value } else { Value::dynamic() }, is_sound }
    }

    /// Checks a body without a schema and without dynamic blocks: it has nothing but expressions, each on its own, and
    /// what their values are does not matter.
    fn plain_body(&mut self, expressions: &[BodyExpr], place: &NameScope<'_>, visit: &mut Visit) -> CheckedBody {
        let mut steps = Steps::default();
        for found in expressions {
            self.look_at(found.expr, place, &found.bound, &mut steps, visit);
        }
        let is_sound = steps.is_evaluated() && !steps.evaluation.has_errors();
        steps.with_function_titles(self.module.report.forest).finish(&mut visit.out);
        CheckedBody { value: Value::dynamic(), is_sound }
    }

    /// Looks up the names in an expression whose value does not matter, and evaluates it if something may be found then.
    fn look_at(
        &mut self,
        expr: ExprAt,
        place: &NameScope<'_>,
        bound: &[Arc<str>],
        steps: &mut Steps,
        visit: &mut Visit,
    ) {
        let references = self.evaluation.look_up(expr, place, bound, steps, &mut visit.dependencies);
        if !self.evaluation.names().never_fails(expr, &references) {
            self.evaluation.value(expr, &references, None, &mut steps.evaluation);
        }
    }

    /// Checks the condition and the message of a condition of a resource. The tool evaluates both even if names are
    /// missing, and looks at neither result (validate.md, section 5).
    fn resource_condition(&mut self, condition: &'a Block<'a>, place: &NameScope<'_>, visit: &mut Visit) {
        for argument in condition.arguments.iter().filter(|argument| !argument.broken) {
            self.loose(argument.expr, place, visit);
        }
    }

    /// Looks up and evaluates an expression that the tool evaluates whatever is wrong with its references.
    fn loose(&mut self, expr: ExprAt, place: &NameScope<'_>, visit: &mut Visit) {
        let mut steps = Steps::default();
        let references = self.evaluation.look_up(expr, place, &[], &mut steps, &mut visit.dependencies);
        let mut evaluation = Diagnostics::new();
        if steps.statics.has_errors() {
            self.evaluation.without_names(expr, &mut evaluation);
        } else {
            self.evaluation.value(expr, &references.well_formed(), None, &mut evaluation);
        }
        steps.finish(&mut visit.out);
        visit.out.append(evaluation);
    }

    /// Checks the value that a call passes for a variable of the called module, and returns it as the variable gets it.
    fn input(&mut self, walk: &Walk<'a>, call: usize, argument: &'a Argument<'a>, visit: &mut Visit) -> Value {
        if argument.broken {
            return Value::dynamic();
        }
        let place = NameScope { count: true, each: true, used: ValueUse::Whole, ..NameScope::default() };
        let Some(called) = self.module.calls.get(call) else { return Value::dynamic() };
        let Some(module) = called.module.and_then(|at| walk.tree.get(at)) else {
            // Nothing takes the value of an argument of a module that is not there.
            let mut steps = Steps::default();
            self.look_at(argument.expr, &place, &[], &mut steps, visit);
            steps.with_function_titles(self.module.report.forest).finish(&mut visit.out);
            return Value::dynamic();
        };
        let value = self.evaluation.expression(argument.expr, &place, &mut visit.dependencies, &mut visit.out);
        if visit.out.iter().any(is_error) {
            return Value::dynamic();
        }
        let Some(taken) = module.summary.variables.get(argument.name) else { return value };
        self.warn_about_argument(module, argument, &value, visit);
        match taken.convert(&value) {
            Ok(converted) => {
                self.warn_of_lost_attributes(argument, taken, visit);
                converted
            }
            Err(problem) => {
                let finding =
                    calls::check::value_problem(self.module.report, &called.call, argument, taken, &problem);
                let module = called.module.and_then(|at| walk.tree.get(at));
                visit.out.push(match module {
                    Some(module) => module.placed(finding, argument.name),
                    None => finding,
                });
                Value::dynamic()
            }
        }
    }

    /// Checks an output (validate.md, sections 5 and 7). Of one that the root module must not have, the tool looks at
    /// nothing else.
    fn output(&mut self, block: &'a Block<'a>, visit: &mut Visit) {
        let deprecated = meta_argument(block, words::DEPRECATED).filter(|_| self.is_root);
        if let Some(argument) = deprecated
            && self.module.report.dialect.has(Behaviour::RootOutputsAreNotDeprecated)
        {
            let detail = "Nothing uses the outputs of the root module, so none of them can be deprecated.";
            visit.out.push(Diagnostic::tool(&codes::ROOT_OUTPUT_DEPRECATED, argument.range, detail));
        }
        if !(self.is_root && is_set(block, words::EPHEMERAL)) {
            return self.output_parts(block, visit);
        }
        let detail = "The root module has no caller that could take an ephemeral value. Remove `ephemeral`.";
        visit.out.push(Diagnostic::tool(&codes::EPHEMERAL_OUTPUT, block.header, detail));
        let mut parts = Visit::default();
        self.output_parts(block, &mut parts);
        visit.dependencies.append(&mut parts.dependencies);
        visit.out.append(later_unless(false, parts.out));
    }

    fn output_parts(&mut self, block: &'a Block<'a>, visit: &mut Visit) {
        for condition in meta_blocks(block, words::PRECONDITION) {
            self.output_condition(condition, visit);
        }
        let preconditions_failed = visit.out.iter().any(is_error);
        let mut own = Visit::default();
        let argument = block.argument(words::VALUE);
        if let Some(argument) = argument.filter(|argument| !argument.broken) {
            let (place, expr) = (NameScope { used: self.used_of_output(), ..NameScope::default() }, argument.expr);
            let value = self.evaluation.expression(expr, &place, &mut own.dependencies, &mut own.out);
            let failed = own.out.iter().any(is_error);
            let name = block.labels.first().map_or("", |label| label.text);
            let value = if failed {
                value
            } else {
                self.converted_output(name, expr, value, &mut own.out).unwrap_or_else(Value::dynamic)
            };
            self.marks(block, expr, (&value, failed), &mut own.out);
        }
        self.depends_on(block, &mut own);
        visit.dependencies.append(&mut own.dependencies);
        visit.out.append(later_unless(!preconditions_failed, own.out));
    }

    /// Checks the marks of the value of an output, whose evaluation may have failed.
    pub fn marks(&self, block: &Block<'_>, expr: ExprAt, (value, failed): (&Value, bool), out: &mut Diagnostics) {
        let is_root = self.is_root;
        let marks = value.deep_marks();
        let is_ephemeral = is_set(block, words::EPHEMERAL);
        if is_root && is_ephemeral {
            return;
        }
        if is_root && marks.is_sensitive() && !is_set(block, words::SENSITIVE) {
            let detail = "The value of this output contains something sensitive. Add `sensitive = true` to show that this is intended.";
            out.push(Diagnostic::tool(&codes::SENSITIVE_OUTPUT, block.header, detail));
        }
        let searches = !self.module.report.dialect.has(Behaviour::PartlyUnknownOutputsMayBeEphemeral)
            || !failed
                && !out.iter().any(is_error)
                && (value.is_wholly_known() || !value.marks().without_doubt().is_empty());
        if !is_ephemeral && marks.is_ephemeral() && searches {
            let detail = if is_root {
                "The value of an output of the root module is stored, so it cannot be ephemeral."
            } else {
                "This value is ephemeral, but the output is not. Add `ephemeral = true`, or use another value."
            };
            out.push(Diagnostic::tool(&codes::EPHEMERAL_IN_OUTPUT, self.evaluation.span(expr), detail));
        } else if is_ephemeral
            && !failed
            && !value.marks().is_ephemeral()
            && self.module.report.dialect.has(Behaviour::EphemeralOutputsTakeOnlyEphemeralValues)
        {
            // Something ephemeral inside of a structure is not enough.
            let detail = "The output is declared ephemeral, but its value is not. Remove `ephemeral`, or use an ephemeral value.";
            out.push(Diagnostic::tool(&codes::NOT_EPHEMERAL, self.evaluation.span(expr), detail));
        }
    }

    /// Checks the assertions of a check: the names in both expressions, and the message (validate.md, section 5).
    fn check(&mut self, block: &'a Block<'a>, address: ObjectAddr<'a>, visit: &mut Visit) {
        let place = NameScope { check: Some(address.name()), ..NameScope::default() };
        for assertion in meta_blocks(block, words::ASSERT) {
            self.assertion(assertion, &place, visit);
        }
        // Its data sources come first, whether it refers to them or not.
        let own = block
            .blocks
            .iter()
            .filter_map(ObjectAddr::of_nested)
            .filter_map(|address| self.evaluation.names().resources.get(&address).map(|found| found.node));
        visit.dependencies.extend(own.map(Dependency::Node));
    }

    fn assertion(&mut self, assertion: &'a Block<'a>, place: &NameScope<'_>, visit: &mut Visit) {
        let (condition, message) =
            (assertion.usable_argument(words::CONDITION), assertion.usable_argument(words::ERROR_MESSAGE));
        let mut steps = Steps::default();
        if let Some(condition) = condition {
            self.evaluation.look_up(condition.expr, place, &[], &mut steps, &mut visit.dependencies);
        }
        let references = message.map(|message| {
            (message.expr, self.evaluation.look_up(message.expr, place, &[], &mut steps, &mut visit.dependencies))
        });
        let mut evaluation = Diagnostics::new();
        if let Some((expr, references)) = references {
            Message { evaluation: &self.evaluation, expr }.check(
                &references,
                steps.statics.has_errors(),
                &mut evaluation,
            );
        }
        steps.finish(&mut visit.out);
        visit.out.append(evaluation);
    }

    /// Checks a condition of an output: the names in both expressions, both results.
    fn output_condition(&mut self, condition: &'a Block<'a>, visit: &mut Visit) {
        let place = NameScope::default();
        let mut steps = Steps::default();
        let mut look_up = |argument: Option<&Argument<'a>>, steps: &mut Steps| {
            let expr = argument?.expr;
            Some((expr, self.evaluation.look_up(expr, &place, &[], steps, &mut visit.dependencies)))
        };
        let result = look_up(condition.usable_argument(words::CONDITION), &mut steps);
        let message = look_up(condition.usable_argument(words::ERROR_MESSAGE), &mut steps);
        let nameless = steps.statics.has_errors();
        let names_found = steps.is_evaluated();
        let mut out = Diagnostics::new();
        let text = message.and_then(|(expr, references)| {
            Message { evaluation: &self.evaluation, expr }.check(&references, nameless, &mut out)
        });
        let mut fails = None;
        if let Some((expr, references)) = result {
            let value = if nameless {
                self.evaluation.without_names(expr, &mut out)
            } else {
                let value = self.evaluation.value(expr, &references.well_formed(), None, &mut out);
                let (forest, dialect) = (self.module.report.forest, self.module.report.dialect);
                without_deprecated_in_condition(dialect, (forest, expr), value, &mut out)
            };
            if names_found && !out.iter().any(|found| found.severity == Severity::Error) {
                fails =
                    super::conditions::result(&value, self.evaluation.span(expr), &mut out).filter(|holds| !holds);
            }
            if fails.is_some() {
                let text = text.unwrap_or_else(|| "(the error message cannot be shown)".to_owned());
                let detail = format!("The value of this output does not satisfy a precondition: {text}");
                out.push(Diagnostic::tool(&codes::OUTPUT_PRECONDITION, self.evaluation.span(expr), detail));
            }
        }
        steps.finish(&mut visit.out);
        visit.out.append(out);
    }
}

/// What became of a body.
struct CheckedBody {
    /// Its value; wholly unknown if a reference in it leads nowhere.
    value: Value,
    /// Whether neither its references nor its evaluation have errors, so that the tool looks at what depends on it.
    is_sound: bool,
}
