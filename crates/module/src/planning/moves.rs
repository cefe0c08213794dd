//! `moved` and `removed` blocks without a state: only their mistakes show (plan.md, section 11).

use std::collections::hash_map::Entry;

use foldhash::HashMap;

use super::codes;
use super::scope::Site;
use super::walk::Walk;
use crate::validate::names::Repeated;
use crate::validate::nodes::NodeKind;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words;
use overfold_model::config::{Argument, Block, ObjectAddr};
use overfold_model::language::addresses::{self, Target};
use overfold_model::language::references::{AddressWords, InstanceKey};
use overfold_value::Value;

/// A `moved` block, with both addresses from the root module.
struct Statement {
    from: Target,
    to: Target,
    at: Span,
}

impl Walk<'_, '_, '_> {
    /// Reports objects that are declared although a `removed` block says that they are gone. Returns whether there are
    /// any; then the tool goes no further.
    pub(super) fn removed(&mut self) -> bool {
        let mut out = Diagnostics::new();
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for element in &walked.module.report.module.elements {
                account::work(1);
                if element.block.keyword != "removed" {
                    continue;
                }
                let Some(target) = self.target(element.block, words::FROM, addresses::removed) else { continue };
                let names: Vec<&str> = self
                    .instances
                    .names(path)
                    .into_iter()
                    .chain(target.modules.iter().map(|step| &*step.name))
                    .collect();
                match &target.resource {
                    Some(step) => {
                        let address =
                            ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
                        if let Some(header) = self.header(&names, address) {
                            let detail = format!(
                                "A `removed` block says that {target} is gone, but it is declared here. Remove one of the two."
                            );
                            out.push(Diagnostic::tool(&codes::REMOVED_RESOURCE, header, detail));
                        }
                    }
                    None => {
                        let Some((name, around)) = names.split_last() else { continue };
                        if let Some(header) = self.header(around, ObjectAddr::ModuleCall(name)) {
                            let detail = format!(
                                "A `removed` block says that {target} is gone, but it is called here. Remove one of the two."
                            );
                            out.push(Diagnostic::tool(&codes::REMOVED_MODULE, header, detail));
                        }
                    }
                }
            }
        }
        self.take(out, None)
    }

    /// Reports what is wrong with `moved` blocks. Returns the findings.
    pub(super) fn moved(&self) -> Diagnostics {
        let mut out = Diagnostics::new();
        let statements = self.statements();
        let (mut by_from, mut by_to): (HashMap<String, &Statement>, HashMap<String, &Statement>) =
            (HashMap::default(), HashMap::default());
        for statement in &statements {
            account::work(32);
            let Statement { from, to, at } = statement;
            if from == to {
                let detail = format!("{from} is moved to itself. Remove the block.");
                out.push(Diagnostic::tool(&codes::MOVE_REDUNDANT, *at, detail));
                continue;
            }
            let mut ambiguous = |first: &Statement, detail: String| {
                out.push(Diagnostic::tool(&codes::MOVE_AMBIGUOUS, *at, detail).and("the other block", first.at));
            };
            match by_from.get(&from.to_string()) {
                Some(first) if first.to != *to => {
                    ambiguous(first, format!("{from} is moved to {to} here and to {} elsewhere.", first.to));
                }
                Some(_) => {}
                None => drop(by_from.insert(from.to_string(), statement)),
            }
            match by_to.get(&to.to_string()) {
                Some(first) if first.from != *from => {
                    ambiguous(first, format!("Both {from} and {} are moved to {to}.", first.from));
                }
                Some(_) => {}
                None => drop(by_to.insert(to.to_string(), statement)),
            }
            if self.is_declared(from, has_key(from) || has_key(to)) {
                let detail = format!(
                    "{from} is moved to {to}, but {from} is still declared. Remove its declaration, or the `moved` block."
                );
                out.push(Diagnostic::tool(&codes::MOVED_EXISTS, *at, detail));
            }
        }
        if out.is_empty() && is_cyclic(&by_from) {
            let detail = "Several `moved` blocks lead in a circle, so nothing can be said to be where it belongs.";
            out.push(Diagnostic::tool(&codes::MOVE_CYCLE, None, detail));
        }
        out
    }

    /// Collects the `moved` blocks of all modules.
    fn statements(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for element in &walked.module.report.module.elements {
                account::work(1);
                if element.block.keyword != "moved" {
                    continue;
                }
                let end = |name| {
                    let mut target = self.target(element.block, name, addresses::moved)?;
                    let around = self.instances.names(path).into_iter();
                    let around = around.map(|name| addresses::ModuleStep { name: name.into(), key: None });
                    target.modules = around.chain(target.modules).collect();
                    Some(target)
                };
                if let (Some(from), Some(to)) = (end(words::FROM), end(words::TO)) {
                    statements.push(Statement { from, to, at: element.block.header });
                }
            }
        }
        statements
    }

    fn target(
        &self,
        block: &Block<'_>,
        argument: &str,
        read: fn(&overfold_syntax::Forest, overfold_syntax::ExprAt, AddressWords, &mut Diagnostics) -> Option<Target>,
    ) -> Option<Target> {
        let found: &Argument<'_> = block.arguments.iter().find(|found| found.name == argument && !found.broken)?;
        read(self.report.forest, found.expr, AddressWords::of(self.report.dialect), &mut Diagnostics::new())
    }

    /// Returns the path of calls with these names.
    pub(super) fn path_of(&self, names: &[&str]) -> Option<usize> {
        let mut path = 0;
        for name in names {
            account::work(2);
            let call = *self.walked(path)?.evaluation.names().calls.get(name)?;
            path = self.instances.list.get(path)?.called.get(call).copied().flatten()?;
        }
        Some(path)
    }

    fn header(&self, names: &[&str], address: ObjectAddr<'_>) -> Option<Span> {
        let walked = self.walked(self.path_of(names)?)?;
        account::work(4);
        let declared = walked.evaluation.names();
        match address {
            ObjectAddr::ModuleCall(name) => {
                let call = declared.calls.get(name)?;
                Some(walked.module.calls.get(*call)?.call.block.header)
            }
            _ => match walked.nodes.get(declared.resources.get(&address)?.node)?.kind {
                NodeKind::Resource(block) => Some(block.header),
                _ => None,
            },
        }
    }

    /// Whether the object at an address is declared: with `as_instance` that very instance, otherwise any.
    pub(super) fn is_declared(&self, target: &Target, as_instance: bool) -> bool {
        let names: Vec<&str> = target.modules.iter().map(|step| &*step.name).collect();
        let Some(step) = &target.resource else {
            let Some(path) = self.path_of(&names) else { return false };
            if !as_instance {
                return true;
            }
            let key = target.modules.last().and_then(|step| step.key.as_ref());
            let Some(expanded) = self.expanded.get(path) else { return false };
            return expanded
                .instances
                .iter()
                .any(|instance| instance.repeated.as_ref().map(|repeated| &repeated.key) == key);
        };
        let Some(path) = self.path_of(&names) else { return false };
        let Some(walked) = self.walked(path) else { return false };
        let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
        let Some(resource) = walked.evaluation.names().resources.get(&address) else { return false };
        if !as_instance {
            return true;
        }
        (0..self.instance_count(path)).any(|at| {
            account::work(4);
            let module = self.module_address(path, at);
            let fits = target
                .modules
                .iter()
                .zip(module.0.iter())
                .all(|(wanted, own)| wanted.key.is_none() || wanted.key == own.key);
            let whole = self.instance(Site::new(path, at)).and_then(|instance| instance.resources.get(&address));
            fits && match (&step.key, resource.repetition, whole) {
                (None, Repeated::No, _) => true,
                (Some(InstanceKey::Number(number)), Repeated::Count, Some(whole)) => {
                    usize::try_from(*number).is_ok_and(|number| number < whole.length().unwrap_or(0))
                }
                (Some(InstanceKey::Text(key)), Repeated::ForEach, Some(whole)) => Value::get(whole, key).is_some(),
                _ => false,
            }
        })
    }
}

/// Whether an address is that of one instance.
fn has_key(target: &Target) -> bool {
    match &target.resource {
        Some(step) => step.key.is_some(),
        None => target.modules.last().is_some_and(|step| step.key.is_some()),
    }
}

/// Whether following moves leads back to where it began.
fn is_cyclic(by_from: &HashMap<String, &Statement>) -> bool {
    // What has been reached, and from which start: each address is followed once.
    let mut reached: HashMap<&str, &str> = HashMap::default();
    by_from.keys().any(|start| {
        let mut at = start.clone();
        while let Some((from, statement)) = by_from.get_key_value(&at) {
            account::work(8);
            match reached.entry(from) {
                Entry::Occupied(found) => return *found.get() == start.as_str(),
                Entry::Vacant(free) => free.insert(start),
            };
            at = statement.to.to_string();
        }
        false
    })
}
