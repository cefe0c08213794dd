//! Functions of providers that a module call needs before it is installed, in versions that then have none (terraform.md,
//! section 10.3.6).

use std::collections::{HashMap, HashSet};

use crate::early_eval::values::EarlyEvaluation;
use overfold_base::account::{self, ChargedIterator, List, Worklist};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::AttrKind;
use overfold_eval as eval;
use overfold_model::config::Element;
use overfold_model::scope::{Definition, LocalId, References};

/// The local values of a module and the functions of providers that they call.
pub(super) struct ProviderCalls<'a> {
    /// What each local value refers to. Every one is read once, however many calls depend on it.
    references: HashMap<LocalId, References<'a>>,
    /// Those that call functions of providers, themselves or through others.
    calling: HashSet<LocalId>,
    /// Those whose calls have been reported, and with them all that they depend on.
    reported: HashSet<LocalId>,
}

impl<'a> ProviderCalls<'a> {
    /// Reads the local values of a module.
    pub(super) fn new(evaluation: &EarlyEvaluation<'a>) -> Self {
        let definitions = evaluation.evaluator.known.definitions;
        let mut references = HashMap::new();
        let mut users: HashMap<LocalId, List<LocalId>> = HashMap::new();
        let mut waiting = Worklist::new(4, []);
        for local in definitions.locals().charged(8) {
            let Some(id) = definitions.local_named(local.name) else { continue };
            let read = evaluation.evaluator.references(local.expr, |_| false);
            for other in locals(&read) {
                users.entry(other).or_default().push(id);
            }
            if !read.provider_calls.is_empty() {
                waiting.push(id);
            }
            account::grow((size_of::<LocalId>() + size_of::<References<'_>>()) as u64);
            references.insert(id, read);
        }
        let mut calling = HashSet::new();
        while let Some(id) = waiting.pop() {
            if calling.insert(id) {
                waiting.extend(users.get(&id).into_iter().flatten());
            }
        }
        Self { references, calling, reported: HashSet::new() }
    }

    /// Reports the functions in the source and the version of a module call, and in local values that any of its arguments
    /// depend on, each local value once. Returns whether there are any.
    pub(super) fn report(
        &mut self,
        evaluation: &EarlyEvaluation<'a>,
        element: &Element<'_>,
        out: &mut Diagnostics,
    ) -> bool {
        let mut found = false;
        let mut waiting = Vec::new();
        for argument in element.block.arguments.iter().filter(|argument| !argument.broken).charged(4) {
            let is_static = argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::Static(_)));
            if argument.spec.is_some() && !is_static {
                continue;
            }
            let references = evaluation.evaluator.references(argument.expr, |_| false);
            if is_static {
                found |= !references.provider_calls.is_empty();
                report(&references, out);
            }
            found |= locals(&references).charged(4).any(|id| self.calling.contains(&id));
            waiting.extend(locals(&references));
        }
        while let Some(id) = waiting.pop() {
            account::work(4);
            if self.reported.insert(id)
                && let Some(references) = self.references.get(&id)
            {
                report(references, out);
                waiting.extend(locals(references));
            }
        }
        found
    }
}

/// Returns the local values among the references of an expression.
fn locals<'r>(references: &'r References<'_>) -> impl Iterator<Item = LocalId> + 'r {
    references.list.iter().filter_map(|reference| match reference.definition {
        Some(Definition::Local(id)) => Some(id),
        _ => None,
    })
}

fn report(references: &References<'_>, out: &mut Diagnostics) {
    for call in references.provider_calls.iter().charged(4) {
        let detail = format!("{} is a function of a provider, and none runs while modules are installed.", call.name);
        let found = Diagnostic::tool(&eval::codes::UNKNOWN_FUNCTION, call.name_span, detail);
        out.push(found.titled("Unknown provider function"));
    }
}
