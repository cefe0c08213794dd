//! What a module consists of beside resources: variables, local values, outputs, calls, provider configurations
//! (plan.md, sections 7 and 8).

use std::sync::Arc;

use super::codes;
use super::conditions::{ConditionResults, Role};
use super::needs::Need;
use super::repetition::Instances;
use super::scope::{Site, settled};
use super::state::{InstanceRepetition, ModuleInstance};
use super::walk::{VisitOutcome, Walk};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Secrecy};
use overfold_base::written::shared;
use overfold_check::validate::codes as validate_codes;
pub(crate) use overfold_check::validate::deprecated::ValueUse;
use overfold_check::validate::nodes::NodeId;
use overfold_check::validate::walker::{deprecated_argument, meta_argument, meta_blocks};
use overfold_dialect::{Behaviour, words};
use overfold_eval::loosened;
use overfold_load::plan::{CheckStatus, Missing, ModuleAddress, ModuleStep, PlannedOutput};
use overfold_load::vars::{ValueOrigin, ValueState};
use overfold_model::config::{Argument, Block, ObjectAddr, is_set};
use overfold_model::language::references::{AddressWords, Subject, reference};
use overfold_model::scope::{self, Variable};
use overfold_syntax::statics;
use overfold_tree::calls;
use overfold_tree::module_tree::is_deprecated;
use overfold_value::{Marks, Value};

impl<'a> Walk<'_, '_, 'a> {
    /// Gives a variable its value in each instance of its module.
    pub(super) fn variable(&mut self, path: usize, address: ObjectAddr<'a>) -> VisitOutcome {
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let name = address.name();
        let definitions = walked.evaluation.evaluator.known.definitions;
        let Some(id) = definitions.variable_named(name) else { return VisitOutcome::Done };
        let variable = *definitions.variable(id);
        let Some((caller, call)) = self.instances.list.get(path).and_then(|instance| instance.caller) else {
            return self.root_variable(path, &variable, address);
        };
        let argument = self.argument(caller, call, name);
        if let Some(argument) = argument
            && self.report.dialect.has(Behaviour::DeprecatedVariablesWarnInPlans)
            && walked.module.is_deprecated_variable(name)
        {
            let at = self.report.forest.expr_span(argument.expr);
            let mut found = Diagnostics::new();
            found.push(deprecated_argument(name, at));
            self.take(found, None);
        }
        let unavailable = argument.map(|argument| self.unavailable(caller, call, argument)).unwrap_or_default();
        let mut failed = false;
        for at in (0..self.instance_count(path)).charged(8) {
            let mut out = Diagnostics::new();
            let value = match argument {
                Some(_) if !unavailable.is_empty() => {
                    out.extend(unavailable.iter().charged_at_once(8).cloned());
                    None
                }
                Some(argument) => self.passed(path, at, (caller, call), argument, &mut out),
                None => variable.default().cloned(),
            };
            let value = value
                .unwrap_or_else(|| variable.unknown())
                .with_marks(variable.marks.and(self.hidden(path, variable.name)));
            failed |= self.take(out, None);
            if let Some(instance) = self.instance_mut(path, at) {
                instance.variables.insert(variable.name, value);
            }
        }
        if failed {
            self.unjudged_rules(path, address);
        }
        VisitOutcome::from_failed(failed)
    }

    /// Records that the rules of a variable are not judged. They are known to be there.
    fn unjudged_rules(&mut self, path: usize, address: ObjectAddr<'a>) {
        if self.report.dialect.has(Behaviour::UnreachedRulesHaveNoInstance) {
            return;
        }
        let Some(rules) = self.walked(path).and_then(|walked| walked.node(address)) else { return };
        if self.report.dialect.has(Behaviour::UnreachedRulesHaveNoInstance) {
            if let Some(checked) = self.checks.get_mut(&(path, rules)) {
                checked.status = checked.status.max(CheckStatus::Unknown);
            }
            return;
        }
        for at in (0..self.instance_count(path)).charged(8) {
            self.judge(path, rules, at, None, CheckStatus::Unknown, Vec::new());
        }
    }

    /// Returns the marks of a variable that may be secret because of another declaration of it, if such values are hidden.
    fn hidden(&self, path: usize, name: &str) -> Marks {
        let is_secret = || {
            let walked = self.walked(path);
            walked.is_some_and(|walked| walked.module.report.module.secrets.variable(name) != Secrecy::Open)
        };
        if self.hides_secrets && is_secret() { Marks::SENSITIVE } else { Marks::NONE }
    }

    /// Gives a variable of the root module its value, which has been resolved before.
    fn root_variable(&mut self, path: usize, variable: &Variable<'a>, address: ObjectAddr<'a>) -> VisitOutcome {
        if self.report.variables.is_none() {
            // Whoever calls the module says what the value is.
            if let Some(instance) = self.instance_mut(path, 0) {
                instance.variables.insert(variable.name, variable.unknown().with_marks(variable.marks));
            }
            return VisitOutcome::Done;
        }
        account::work(8);
        let value = match self.resolved(variable.name) {
            Some(found) if found.state == ValueState::Error => None,
            Some(found) => found.value.clone(),
            None => variable.default().cloned(),
        };
        let is_wrong = value.is_none();
        self.warn_of_root_variable(variable);
        let value = value
            .unwrap_or_else(|| variable.unknown())
            .with_marks(variable.marks.and(self.hidden(path, variable.name)));
        if let Some(instance) = self.instance_mut(path, 0) {
            instance.variables.insert(variable.name, value);
        }
        if is_wrong {
            self.unjudged_rules(path, address);
        }
        VisitOutcome::from_failed(is_wrong)
    }

    /// Warns about a deprecated variable of the root module that gets a value.
    fn warn_of_root_variable(&mut self, variable: &Variable<'a>) {
        let block = variable.element.block;
        let is_given = self
            .resolved(variable.name)
            .is_some_and(|found| found.is_given || found.from.iter().any(|from| *from != ValueOrigin::Default));
        let Some(argument) = meta_argument(block, words::DEPRECATED).filter(|_| is_given) else { return };
        let dialect = self.report.dialect;
        let detail = format!("{} is declared as deprecated, but it gets a value.", variable.element.address);
        let found = if dialect.has(Behaviour::DeprecatedRootVariablesAtArgument) {
            Diagnostic::tool(&validate_codes::DEPRECATED_VARIABLE, argument.range, detail)
        } else {
            Diagnostic::tool(&codes::DEPRECATED_ROOT_VARIABLE, block.header, detail)
        };
        let mut out = Diagnostics::new();
        out.push(found);
        self.take(out, None);
    }

    /// Returns the argument that a call passes for a variable.
    pub(super) fn argument(&self, caller: usize, call: usize, name: &str) -> Option<&'a Argument<'a>> {
        let walked = self.walked(caller)?;
        let node = *walked.inputs.get(&(call, name))?;
        match walked.nodes.get(node)?.kind {
            overfold_check::validate::nodes::NodeKind::Input(_, argument) => Some(argument),
            _ => None,
        }
    }

    /// Reports references of an argument to `count` or `each` that the call does not have, even where they are not evaluated.
    fn unavailable(&self, caller: usize, call: usize, argument: &Argument<'_>) -> Vec<Diagnostic> {
        let mut found = List::new();
        let Some(walked) = self.walked(caller) else { return found.into_vec() };
        let Some(block) = walked.module.calls.get(call).map(|found| found.call.block) else {
            return found.into_vec();
        };
        let has = |name| meta_argument(block, name).is_some();
        let of_call = || (has(words::COUNT), has(words::FOR_EACH));
        let forest = self.report.forest;
        for traversal in statics::references(forest, argument.expr).charged(2) {
            if !matches!(&*traversal.root, words::COUNT | words::EACH) {
                continue;
            }
            let (has_count, has_each) =
                *self.repeated_calls.borrow_mut().entry((caller, call)).or_insert_with(of_call);
            let is_given = if &*traversal.root == words::COUNT { has_count } else { has_each };
            let read = reference(&traversal, AddressWords::for_dialect(self.report.dialect), &mut Diagnostics::new());
            let Some(read) = read.filter(|_| !is_given) else { continue };
            let (code, without) = match &read.subject {
                Subject::Count(name) if name == "index" => (&scope::codes::NO_COUNT, words::COUNT),
                Subject::Each(name) if name == "key" => (&scope::codes::NO_EACH, words::FOR_EACH),
                Subject::Each(name) if name == "value" => (&scope::codes::NO_EACH_VALUE, words::FOR_EACH),
                _ => continue,
            };
            let detail = format!("The module call has no `{without}`, so this is not available in its arguments.");
            found.push(Diagnostic::tool(code, read.span, detail));
        }
        found.into_vec()
    }

    /// Returns the value that a call passes to one instance of the called module, as the variable takes it.
    fn passed(
        &self,
        path: usize,
        instance: usize,
        (caller, call): (usize, usize),
        argument: &'a Argument<'a>,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let called = self.instance(Site::new(path, instance))?;
        let site = Site { repeated: called.repeated.as_ref(), ..Site::new(caller, called.caller) };
        let (mut value, verdict) = self.evaluate_marked(argument.expr, site, None, out);
        if verdict.failed() {
            return None;
        }
        let warned = self.without_deprecated(argument.expr, site, ValueUse::Whole, value.clone(), out);
        if !self.report.dialect.has(Behaviour::DeprecatedOutputsMarkValues) {
            // Otherwise, what uses the variable is reported, too.
            value = warned;
        }
        let taken = self.walked(path)?.module.summary.variables.get(argument.name);
        let Some(taken) = taken else { return Some(value) };
        // What an object may have beside what is known of it does not show in its type.
        let value = if taken.has_type() { settled(&value) } else { value };
        let is_in_doubt = taken.has_type() && value.deep_marks().is_inexact();
        match taken.convert(&value) {
            // Elements of an unknown type may make others a text.
            Ok(converted) if is_in_doubt && taken.has_dynamic() => Some(loosened(&converted)),
            Ok(value) => Some(value),
            Err(problem) => {
                let walked = self.walked(caller)?;
                let call = &walked.module.calls.get(call)?.call;
                let finding = calls::check::value_problem(walked.module.report, call, argument, taken, &problem);
                out.push(match self.walked(path) {
                    Some(called) => called.module.placed(finding, argument.name),
                    None => finding,
                });
                None
            }
        }
    }

    /// Evaluates a local value in each instance of its module.
    pub(super) fn local(&mut self, path: usize, address: ObjectAddr<'a>) -> VisitOutcome {
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let definitions = walked.evaluation.evaluator.known.definitions;
        let Some(id) = definitions.local_named(address.name()) else { return VisitOutcome::Done };
        let local = *definitions.local(id);
        let mut failed = false;
        for at in (0..self.instance_count(path)).charged(4) {
            let mut out = Diagnostics::new();
            let (value, _) = self.evaluate_whole(local.expr, Site::new(path, at), &mut out);
            failed |= self.take(out, None);
            if let Some(instance) = self.instance_mut(path, at) {
                instance.locals.insert(local.name, value);
            }
        }
        VisitOutcome::from_failed(failed)
    }

    /// Evaluates an output in each instance of its module: its preconditions, then its value.
    pub(super) fn output(
        &mut self,
        path: usize,
        id: NodeId,
        block: &'a Block<'a>,
        address: ObjectAddr<'a>,
    ) -> VisitOutcome {
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut out = Diagnostics::new();
            let site = Site::new(path, at);
            let mut results = ConditionResults::passed();
            account::work(4 + block.arguments.len() as u64 / 16);
            self.conditions(meta_blocks(block, words::PRECONDITION), Role::Output, site, &mut results, &mut out);
            let mut value = None;
            if results.holds()
                && let Some(argument) = block.argument(words::VALUE)
            {
                let (found, verdict) = match walked.used_of_output() {
                    ValueUse::Whole => self.evaluate_whole(argument.expr, site, &mut out),
                    ValueUse::Parts => self.evaluate(argument.expr, site, &mut out),
                };
                if verdict.failed() {
                    walked.marks(block, argument.expr, (&found, true), &mut out);
                } else if let Some(found) = walked.converted_output(address.name(), argument.expr, found, &mut out) {
                    let mut own = Diagnostics::new();
                    walked.marks(block, argument.expr, (&found, false), &mut own);
                    if !own.has_errors() {
                        value = Some(found);
                    }
                    out.append(own);
                }
            }
            failed |= value.is_none();
            self.take(out, None);
            self.judge(path, id, at, None, results.status, results.problems);
            let Some(mut value) = value else { continue };
            if is_set(block, words::EPHEMERAL) {
                value = value.with_marks(Marks::EPHEMERAL);
            }
            if path == 0 {
                let needs = self.needs_of_output(block, &value);
                self.outputs.push(PlannedOutput {
                    needs,
                    name: Arc::from(address.name()),
                    sensitive: is_set(block, words::SENSITIVE),
                    value: exact(&value),
                });
            }
            if is_set(block, words::SENSITIVE) {
                // Where the tool passes such a value on without a mark, the caller has declared it secret all the same.
                let is_marked = self.hides_secrets || self.report.dialect.has(Behaviour::SensitiveOutputsAreMarked);
                value = value.with_marks(if is_marked { Marks::SENSITIVE } else { Marks::CONFIDENTIAL });
            }
            if path > 0 && self.warns_of_deprecated && is_deprecated(block) {
                value = value.with_marks(Marks::DEPRECATED);
            }
            if let Some(instance) = self.instance_mut(path, at) {
                instance.outputs.insert(address.name(), value);
            }
        }
        VisitOutcome::from_failed(failed)
    }

    /// Determines the instances of a called module.
    pub(super) fn call(&mut self, path: usize, call: usize) -> VisitOutcome {
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let Some(found) = walked.module.calls.get(call) else { return VisitOutcome::Done };
        let (block, name): (&'a Block<'a>, Arc<str>) = (found.call.block, Arc::from(found.call.name));
        let source = found.call.text.clone();
        let child = self.instances.list.get(path).and_then(|instance| instance.called.get(call).copied().flatten());
        if child.is_none() {
            if found.module.is_some() {
                // There are more calls than are followed, or they lead in a circle, which has been reported.
                let address = shared(format_args!("{}module.{name}", self.instances.path(path)));
                self.missing.push(Missing::Module { address, source: source.clone(), version: None, is_found: true });
            } else {
                self.missing_module(path, call);
            }
        }
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut out = Diagnostics::new();
            let instances = self.repetition(block, Site::new(path, at), &mut out);
            self.take(out, None);
            let (kind, keys) = match instances {
                Instances::Known(kind, keys) => (kind, keys),
                Instances::TooMany => {
                    self.leave_out_for_limit(self.call_address(path, at, &name), false);
                    failed = true;
                    continue;
                }
                Instances::NotKnownHere(unknown) => {
                    self.leave_out_call(child, at, self.call_address(path, at, &name), &unknown);
                    if let Some(child) = child {
                        self.expand_unknown(child);
                    } else if self.options.with_origins {
                        self.unplanned.push(UnplannedInstance { path, at, call, repeated: None });
                    }
                    continue;
                }
                Instances::Wrong => {
                    failed = true;
                    if let Some(child) = child {
                        self.expand_unknown(child);
                    }
                    continue;
                }
            };
            let Some(child) = child else {
                if self.options.with_origins {
                    for repeated in keys {
                        self.unplanned.push(UnplannedInstance { path, at, call, repeated });
                    }
                }
                continue;
            };
            let outer = self.module_address(path, at);
            if outer.0.len() >= self.options.max_depth {
                self.too_deep(path, &name, source.clone(), block);
                self.expand_unknown(child);
                continue;
            }
            let address = |repeated: &Option<InstanceRepetition>| {
                account::build(outer.0.len() as u64 + 4, (outer.0.len() + 1) as u64 * size_of::<ModuleStep>() as u64);
                let key = repeated.as_ref().map(|repeated| repeated.key.clone());
                let own = ModuleStep { name: Arc::clone(&name), key };
                ModuleAddress(outer.0.iter().cloned().chain([own]).collect())
            };
            let instances = keys
                .into_iter()
                .map(|repeated| {
                    let address = address(&repeated);
                    ModuleInstance::new(at, repeated, address)
                })
                .collect();
            self.expand(child, kind, instances);
        }
        VisitOutcome::from_failed(failed)
    }

    /// Returns the instances of calls whose modules were not given, with the arguments that they pass. What is wrong with
    /// those has been reported.
    pub(super) fn unplanned_calls(&self) -> Vec<UnplannedArguments<'a>> {
        let arguments = |UnplannedInstance { path, at, call, repeated }: &UnplannedInstance| {
            let found = &self.walked(*path)?.module.calls.get(*call)?.call;
            let site = Site { repeated: repeated.as_ref(), ..Site::new(*path, *at) };
            let value = |argument: &Argument<'a>| {
                account::build(4, 64);
                self.evaluate_marked(argument.expr, site, None, &mut Diagnostics::new()).0
            };
            let passed = found.block.arguments.iter().filter(|argument| argument.spec.is_none());
            let mut entries: Vec<(Arc<str>, Value)> =
                passed.map(|argument| (Arc::from(argument.name), value(argument))).collect();
            let Need::Module { source, version, .. } = self.module_need(*path, *call)? else { return None };
            entries.extend(source.map(|source| (Arc::from(words::SOURCE_ARGUMENT), Value::text(source))));
            entries.extend(version.map(|version| (Arc::from(words::VERSION), Value::text(version))));
            let caller = self.module_address(*path, *at);
            let key = repeated.as_ref().map(|repeated| repeated.key.clone());
            let step = ModuleStep { name: Arc::from(found.name), key };
            Some(UnplannedArguments { block: found.block, caller, step, arguments: Value::object(entries) })
        };
        self.unplanned.iter().filter_map(arguments).collect()
    }

    /// Returns the address of a call in one instance of its module.
    fn call_address(&self, path: usize, at: usize, name: &str) -> Arc<str> {
        let module = self.module_address(path, at);
        let dot = if module.0.is_empty() { "" } else { "." };
        account::touch(name.len());
        format!("{module}{dot}module.{name}").into()
    }

    /// Reports a call that is nested too deeply, the first time.
    fn too_deep(&mut self, path: usize, name: &str, source: Option<Arc<str>>, block: &Block<'_>) {
        let address = shared(format_args!("{}module.{name}", self.instances.path(path)));
        let missing = Missing::Module { address, source, version: None, is_found: true };
        if self.missing.last() != Some(&missing) {
            self.missing.push(missing);
        }
        if std::mem::replace(&mut self.is_too_deep, true) {
            return;
        }
        let detail = format!(
            "Module calls are followed to a depth of {}. Modules below this call are not planned.",
            self.options.max_depth
        );
        let at = block.labels.first().map_or(block.header, |label| label.span);
        self.out.push(Diagnostic::ours(&codes::TOO_DEEP, at, detail));
    }

    /// Notes a call of a module that is not there.
    fn missing_module(&mut self, path: usize, call: usize) {
        let Some(Need::Module { address, source, version }) = self.module_need(path, call) else { return };
        let Some(call) = self.walked(path).and_then(|walked| walked.module.calls.get(call)).map(|found| &found.call)
        else {
            return;
        };
        let at = call.block.labels.first().map_or(call.block.header, |label| label.span);
        self.left_out.note_module(&address, (source.as_ref(), version.as_ref()), (at, call.secrecy));
        self.missing.push(Missing::Module { address, source, version, is_found: false });
    }
}

/// An instance of a call whose module was not given.
pub(super) struct UnplannedInstance {
    /// The path of calls to the module that calls it.
    path: usize,
    /// The instance of that module.
    at: usize,
    /// The position of the call in that module.
    call: usize,
    repeated: Option<InstanceRepetition>,
}

/// The arguments of such an instance.
pub(super) struct UnplannedArguments<'a> {
    pub(super) block: &'a Block<'a>,
    /// The module instance that contains the call.
    pub(super) caller: ModuleAddress,
    /// What the call adds to its address.
    pub(super) step: ModuleStep,
    /// An object of the arguments, and of `source` and `version` as they are written.
    pub(super) arguments: Value,
}

/// Returns a value as a plan shows it: what is not known here is unknown, and keeps the mark that says so.
pub(super) fn exact(value: &Value) -> Value {
    settled(value)
}
