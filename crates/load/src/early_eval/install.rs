//! Sources and versions of module calls that the tool evaluates only when it installs modules (terraform.md, section
//! 10.3.6). Every command of the tool that loads the tree does so.

use crate::early_eval::provider_calls::ProviderCalls;
use crate::early_eval::values::EarlyEvaluation;
use crate::early_eval::{EarlyValues, argument, codes, flag};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_dialect::{Behaviour, DialectSpec, StaticUse, words};
use overfold_eval as eval;
use overfold_model::config::Argument;

/// The title for a source that is null or not a string.
pub(super) const UNSUITABLE_SOURCE: &str = "Unsuitable module source";

/// Checks every constant variable and every module call of the merged module, and keeps the sources that are no plain texts.
pub(super) fn check(evaluation: &mut EarlyEvaluation<'_>, values: &mut EarlyValues, later: &mut Diagnostics) {
    let inputs = evaluation.inputs;
    // The values of the root module, if they are given, are checked with those of its other variables.
    let ((), constants) = later.collect(|later| {
        for element in inputs.module.elements.iter().filter(|_| inputs.given.is_none()) {
            if flag(element, words::CONST) == Some(true) {
                evaluation.constant_variable(element, later);
            }
        }
    });
    for found in constants.into_iter().filter(|found| found.code != &codes::UNAVAILABLE) {
        later.push_existing(found);
    }
    let lacks_functions = inputs.dialect.has(Behaviour::InstallationLacksProviderFunctions);
    let mut provider_calls = lacks_functions.then(|| ProviderCalls::new(evaluation));
    for element in &inputs.module.elements {
        let source = argument(element, StaticUse::ModuleSource);
        let version = argument(element, StaticUse::ModuleVersion);
        if source.is_none() && version.is_none() {
            continue;
        }
        if provider_calls.as_mut().is_some_and(|calls| calls.report(evaluation, element, later)) {
            continue;
        }
        let (module, found) = later.collect(|later| evaluation.module(element, source, version, later));
        // The definitions between a fault and the argument are not reported individually, and constant variables have been
        // reported.
        let is_known = |found: &Diagnostic| {
            let of_variables = [&codes::UNAVAILABLE, &codes::NOT_SET, &codes::CONST_UNKNOWN, &codes::CONST_EPHEMERAL];
            of_variables.contains(&found.code)
        };
        for found in found.into_iter().filter(|found| !is_known(found)) {
            later.push_existing(retitled(inputs.dialect, found, "module source"));
        }
        if let Some(module) = module
            && source.is_some_and(|source| !evaluation.is_constant(source))
        {
            values.modules.insert(element.address.name().into(), module);
        }
    }
}

/// Returns the diagnostic with the title that it has in the step that installs modules; `what` is evaluated there.
pub(super) fn retitled(dialect: &DialectSpec, found: Diagnostic, what: &str) -> Diagnostic {
    if found.summary != found.code.title {
        return found;
    }
    let title = dialect.title(found.code.id, found.code.title).replace("module source", what);
    found.titled(title)
}

impl EarlyEvaluation<'_> {
    /// Whether an argument is a text that needs no evaluation.
    fn is_constant(&self, argument: &Argument<'_>) -> bool {
        let references = self.evaluator.references(argument.expr, |_| false);
        let mut found = Diagnostics::new();
        let value = eval::constant(self.inputs.forest, argument.expr, &mut found);
        references.list.is_empty() && !found.has_errors() && value.is_wholly_known()
    }
}
