//! What a module consists of beside resources: variables, local values, outputs, calls, provider configurations
//! (plan.md, sections 7 and 8).

use std::sync::Arc;

use super::codes;
use super::conditions::{Judged, Role};
use super::repetition::Instances;
use super::scope::{Site, settled};
use super::state::{ModuleInstance, Repeated};
use super::walk::{Visited, Walk};
use crate::calls;
use crate::plan::{CheckStatus, Missing, ModuleAddress, ModuleStep, PlannedOutput};
use crate::validate::nodes::NodeId;
use crate::validate::walker::meta_blocks;
use crate::vars::State;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Secrecy};
use overfold_dialect::words;
use overfold_model::config::{Argument, Block, ObjectAddr, is_set};
use overfold_model::scope::Variable;
use overfold_value::{Marks, Value};

impl<'a> Walk<'_, '_, 'a> {
    /// Gives a variable its value in each instance of its module.
    pub(super) fn variable(&mut self, path: usize, address: ObjectAddr<'a>) -> Visited {
        let Some(walked) = self.walked(path) else { return Visited::Done };
        let name = address.name();
        let definitions = walked.evaluation.evaluator.known.definitions;
        let Some(id) = definitions.variable_named(name) else { return Visited::Done };
        let variable = *definitions.variable(id);
        let Some((caller, call)) = self.instances.list.get(path).and_then(|instance| instance.caller) else {
            return self.root_variable(path, &variable);
        };
        let argument = self.argument(caller, call, name);
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            account::work(8);
            let mut out = Diagnostics::new();
            let value = match argument {
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
        if failed && let Some(rules) = self.walked(path).and_then(|walked| walked.node(address)) {
            // Its rules are known to be there, although they cannot be judged.
            for at in 0..self.instance_count(path) {
                self.judge(path, rules, at, None, CheckStatus::Unknown, Vec::new());
            }
        }
        Visited::of(failed)
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
    fn root_variable(&mut self, path: usize, variable: &Variable<'a>) -> Visited {
        let Some(resolved) = self.report.variables.as_ref() else {
            // Whoever calls the module says what the value is.
            if let Some(instance) = self.instance_mut(path, 0) {
                instance.variables.insert(variable.name, variable.unknown().with_marks(variable.marks));
            }
            return Visited::Done;
        };
        let resolved = resolved.list.iter().find(|found| &*found.name == variable.name);
        let value = match resolved {
            Some(found) if found.state == State::Error => None,
            Some(found) => found.value.clone(),
            None => variable.default().cloned(),
        };
        let is_wrong = value.is_none();
        let value = value
            .unwrap_or_else(|| variable.unknown())
            .with_marks(variable.marks.and(self.hidden(path, variable.name)));
        if let Some(instance) = self.instance_mut(path, 0) {
            instance.variables.insert(variable.name, value);
        }
        Visited::of(is_wrong)
    }

    /// Returns the argument that a call passes for a variable.
    fn argument(&self, caller: usize, call: usize, name: &str) -> Option<&'a Argument<'a>> {
        let walked = self.walked(caller)?;
        let node = *walked.inputs.get(&(call, name))?;
        match walked.nodes.get(node)?.kind {
            crate::validate::nodes::NodeKind::Input(_, argument) => Some(argument),
            _ => None,
        }
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
        let (value, verdict) = self.evaluate(argument.expr, site, out);
        if verdict.failed() {
            return None;
        }
        let taken = self.walked(path)?.module.summary.variables.get(argument.name);
        let Some(taken) = taken else { return Some(value) };
        // What an object may have beside what is known of it does not show in its type.
        let value = if taken.has_type() { settled(&value) } else { value };
        match taken.convert(&value) {
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
    pub(super) fn local(&mut self, path: usize, address: ObjectAddr<'a>) -> Visited {
        let Some(walked) = self.walked(path) else { return Visited::Done };
        let definitions = walked.evaluation.evaluator.known.definitions;
        let Some(id) = definitions.local_named(address.name()) else { return Visited::Done };
        let local = *definitions.local(id);
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut out = Diagnostics::new();
            let (value, _) = self.evaluate(local.expr, Site::new(path, at), &mut out);
            failed |= self.take(out, None);
            if let Some(instance) = self.instance_mut(path, at) {
                instance.locals.insert(local.name, value);
            }
        }
        Visited::of(failed)
    }

    /// Evaluates an output in each instance of its module: its preconditions, then its value.
    pub(super) fn output(
        &mut self,
        path: usize,
        id: NodeId,
        block: &'a Block<'a>,
        address: ObjectAddr<'a>,
    ) -> Visited {
        let Some(walked) = self.walked(path) else { return Visited::Done };
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut out = Diagnostics::new();
            let site = Site::new(path, at);
            let mut judged = Judged::passed();
            self.conditions(meta_blocks(block, words::PRECONDITION), Role::Output, site, &mut judged, &mut out);
            let mut value = None;
            if judged.holds()
                && let Some(argument) = block.arguments.iter().find(|found| found.name == words::VALUE)
            {
                let (found, verdict) = self.evaluate(argument.expr, site, &mut out);
                if !verdict.failed() {
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
            self.judge(path, id, at, None, judged.status, judged.problems);
            let Some(mut value) = value else { continue };
            if is_set(block, words::EPHEMERAL) {
                value = value.with_marks(Marks::EPHEMERAL);
            }
            if path == 0 {
                self.outputs.push(PlannedOutput {
                    name: Arc::from(address.name()),
                    sensitive: is_set(block, words::SENSITIVE),
                    value: exact(&value),
                });
            }
            if self.hides_secrets && is_set(block, words::SENSITIVE) {
                value = value.with_marks(Marks::SENSITIVE);
            }
            if let Some(instance) = self.instance_mut(path, at) {
                instance.outputs.insert(address.name(), value);
            }
        }
        Visited::of(failed)
    }

    /// Determines the instances of a called module.
    pub(super) fn call(&mut self, path: usize, call: usize) -> Visited {
        let Some(walked) = self.walked(path) else { return Visited::Done };
        let Some(found) = walked.module.calls.get(call) else { return Visited::Done };
        let (block, name): (&'a Block<'a>, Arc<str>) = (found.call.block, Arc::from(found.call.name));
        let source = found.call.text.clone();
        let child = self.instances.list.get(path).and_then(|instance| instance.called.get(call).copied().flatten());
        if child.is_none() {
            if found.module.is_some() {
                // There are more calls than are followed, or they lead in a circle, which has been reported.
                let address = format!("{}module.{name}", self.instances.path(path)).into();
                self.missing.push(Missing::Module { address, source: source.clone() });
            } else {
                self.missing_module(path, &name, source.clone(), block);
            }
        }
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut out = Diagnostics::new();
            let instances = self.repetition(block, Site::new(path, at), &mut out);
            self.take(out, None);
            let (kind, keys) = match instances {
                Instances::Known(kind, keys) => (kind, keys),
                Instances::NotKnownHere => {
                    if let Some(child) = child {
                        self.expand_unknown(child);
                    }
                    continue;
                }
                Instances::Wrong => {
                    failed = true;
                    continue;
                }
            };
            let Some(child) = child else { continue };
            let outer = self.module_address(path, at);
            if outer.0.len() >= self.options.max_depth {
                self.too_deep(path, &name, source.clone(), block);
                self.expand_unknown(child);
                continue;
            }
            let address = |repeated: &Option<Repeated>| {
                account::work(outer.0.len() as u64 + 4);
                account::grow((outer.0.len() + 1) as u64 * size_of::<ModuleStep>() as u64);
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
        Visited::of(failed)
    }

    /// Reports a call that is nested too deeply, the first time.
    fn too_deep(&mut self, path: usize, name: &str, source: Option<Arc<str>>, block: &Block<'_>) {
        let address: Arc<str> = format!("{}module.{name}", self.instances.path(path)).into();
        let missing = Missing::Module { address, source };
        if self.missing.last() != Some(&missing) {
            self.missing.push(missing);
        }
        // What depends on the outputs may not be what it seems.
        self.is_inexact = true;
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

    fn missing_module(&mut self, path: usize, name: &str, source: Option<Arc<str>>, block: &Block<'_>) {
        let address: Arc<str> = format!("{}module.{name}", self.instances.path(path)).into();
        let detail = format!(
            "The source of {address} leads to nothing that was given, so its outputs are unknown and its resources are missing."
        );
        let at = block.labels.first().map_or(block.header, |label| label.span);
        self.out.push(Diagnostic::ours(&codes::MODULE_MISSING, at, detail));
        self.missing.push(Missing::Module { address, source });
    }
}

/// Returns a value as a plan shows it: what is not known here is unknown.
pub(super) fn exact(value: &Value) -> Value {
    let settled = settled(value);
    if settled.deep_marks().is_inexact() { super::scope::without_inexact(&settled) } else { settled }
}
