//! Checks a call against the module that it calls, as the tool does when it loads a tree of modules (verified with
//! Terraform 1.11.4):
//!
//! 1. The directory exists, and no module calls itself, directly or through others.
//! 2. The provider configurations that the called module requests by `configuration_aliases` are passed. What is passed
//!    is declared there, not configured there, and of the same provider ([`super::providers`]). A call of a module that
//!    configures providers, itself or below it, has no `count`, `for_each` or `depends_on`.
//! 3. Every variable without a default has an argument *in the base block*; an argument that an override adds is not
//!    enough. Every argument has a variable, and there are no nested blocks; the tool does not check these two if an
//!    override is merged into the call.
//! 4. Values fit the variables ([`super::arguments`]), and references name outputs of the called module
//!    (`super::outputs`). A reference to a call with a value that does not fit is not checked.
//!
//! A called module with empty provider blocks, and one that passes on a provider configuration that it does not get, are
//! warnings.
//!
//! The tool reaches a step only if the previous one found no error anywhere below the root. In step 3 it checks the calls
//! inside a called module before the call itself, calls of one module in random order, and stops at the first mistake;
//! here every one is reported, those that the tool can't reach as ours.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::HashMap;

use super::arguments::{self, ValueProblem, VariableFacts};
use super::call::{self, Call, Target};
use super::codes;
use super::providers::{self, LocalNames, PassedPlace, ProviderProblem};
use super::summary::{CallFacts, Summary};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Quotes, Span};
use overfold_base::files::FileSet;
use overfold_base::written::shared;
use overfold_dialect::Behaviour;
use overfold_load::loading::Report;
use overfold_model::body::content::BodyAt;
use overfold_model::body::content::codes::{
    EXTRANEOUS_PROPERTY, MISSING_REQUIRED_ARGUMENT, UNSUPPORTED_ARGUMENT, UNSUPPORTED_BLOCK_TYPE,
};
use overfold_model::config::{Argument, Block, DecodedArgument};

/// The steps that the tool completes in the tree below a module.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CompletedSteps {
    /// Everything below the module can be loaded.
    pub loads: bool,
    /// The providers are also passed correctly.
    pub has_providers: bool,
    /// All calls have the right arguments.
    pub takes_arguments: bool,
    /// The arguments are correct as well, and no provider configuration is missing.
    pub has_arguments: bool,
}

impl CompletedSteps {
    /// Every step.
    pub const ALL: Self = Self { loads: true, has_providers: true, takes_arguments: true, has_arguments: true };

    /// Returns the steps that both completed.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            loads: self.loads && other.loads,
            has_providers: self.has_providers && other.has_providers,
            takes_arguments: self.takes_arguments && other.takes_arguments,
            has_arguments: self.has_arguments && other.has_arguments,
        }
    }
}

/// Step 3, by names alone: returns the variables that lack an argument.
pub fn missing_arguments<'a>(call: &'a CallFacts, called: &'a Summary) -> impl Iterator<Item = &'a str> + use<'a> {
    account::work(1 + called.variables.len() as u64);
    let needed = called
        .variables
        .iter()
        .filter(|(name, taken)| !call.given.escaped && taken.required && !call.given.base.contains(&**name));
    needed.map(|(name, _)| &**name)
}

/// Step 3, by names alone: whether a call passes something that the called module does not accept.
pub fn has_extraneous_arguments(call: &CallFacts, called: &Summary) -> bool {
    account::work(1 + call.given.base.len() as u64);
    let given = &call.given;
    !given.unchecked
        && !given.escaped
        && (given.has_blocks || given.base.iter().any(|name| !called.variables.contains_key(name)))
}

/// What is known about the tree around a module.
pub struct TreeContext<'a> {
    /// Looks up a module of the upload by its directory.
    pub summary_of: &'a dyn Fn(&str) -> Option<&'a Summary>,
    /// Whether a call to this directory leads back to the module.
    pub leads_back: &'a dyn Fn(&str) -> bool,
    /// Whether providers are configured in this directory or below it.
    pub configures: &'a dyn Fn(&str) -> bool,
    /// Whether the calls in this directory and below it have the right arguments.
    pub takes_arguments: &'a dyn Fn(&str) -> bool,
    /// Whether arguments, providers and outputs have been checked with each module as the root of its own tree.
    pub is_validated: bool,
    /// The folder that paths are shown relative to.
    pub top: &'a str,
    /// The steps that the tool completes below the module.
    pub completed_steps: CompletedSteps,
}

/// Reports everything that is wrong with the calls of a module.
pub fn check(
    report: &Report<'_>,
    files: &FileSet,
    calls: &[Call<'_>],
    own: &Summary,
    around: &TreeContext<'_>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if own.is_called && own.providers.has_empty() {
        empty_providers(report, around.completed_steps.loads, &mut found);
    }
    // Calls that pass wrong values; the tool evaluates nothing that refers to them.
    let mut faulty: BTreeSet<&str> = BTreeSet::new();
    let called = |call: &Call<'_>| (around.summary_of)(call.target.directory()?);
    for (call, facts) in calls.iter().zip(&own.calls) {
        let mut checked = CallCheck { is_reached: false, ..CallCheck::new(report, call, &mut found) };
        match &call.target {
            Target::Nothing(path) => checked.missing_directory(super::shown(path, around.top)),
            Target::Directory(path) if (around.leads_back)(path) => checked.cycle(super::shown(path, around.top)),
            Target::Directory(_) | Target::Elsewhere => {}
        }
        if around.is_validated {
            continue;
        }
        let Some(called) = called(call) else { continue };
        checked.is_reached = around.completed_steps.loads;
        let configures = call.target.directory().is_some_and(around.configures);
        for problem in providers::problems(facts, own, called, configures, LocalNames::Resolved) {
            checked.provider(&problem);
        }
        // The tool checks the calls inside the called module first, and stops at the first mistake.
        checked.is_reached = around.completed_steps.loads
            && around.completed_steps.has_providers
            && call.target.directory().is_none_or(around.takes_arguments);
        checked.arguments(facts, called);
        checked.is_reached = around.completed_steps == CompletedSteps::ALL;
        if checked.values(facts, called) {
            faulty.insert(call.name);
        }
    }
    if around.is_validated {
        return found;
    }
    let before = found.len();
    super::outputs::check(report, files, calls, called, &faulty, &mut found);
    if around.completed_steps != CompletedSteps::ALL {
        found.iter_mut().skip(before).for_each(|finding| finding.origin = finding.origin.later());
    }
    found
}

/// Reports the provider blocks of a called module that have no content.
pub fn empty_providers(report: &Report<'_>, loads: bool, found: &mut Vec<Diagnostic>) {
    for (name, block) in providers::empty_blocks(report).charged(8) {
        let detail = format!(
            "This module is called by another one, and an empty `provider` block is an older way to request a configuration of {name} from it. Declare {name} in `required_providers` instead, and list the aliases in `configuration_aliases`."
        );
        let mut finding = Diagnostic::tool(&codes::PROVIDER_EMPTY, block.header, detail);
        if !loads {
            finding.origin = finding.origin.later();
        }
        found.push(finding);
    }
}

/// Words the mistakes of one call.
pub struct CallCheck<'a, 'r> {
    report: &'a Report<'a>,
    call: &'a Call<'r>,
    found: &'a mut Vec<Diagnostic>,
    /// Whether the tool gets as far as the check at hand.
    is_reached: bool,
    /// Where the call names the provider configurations that it passes, once a mistake is there.
    places: OnceCell<HashMap<String, PassedPlace>>,
    /// The address of the call, once a mistake is there; all findings share it.
    address: OnceCell<Arc<str>>,
}

impl<'a, 'r> CallCheck<'a, 'r> {
    /// Words mistakes as ones that the tool reports.
    pub const fn new(report: &'a Report<'a>, call: &'a Call<'r>, found: &'a mut Vec<Diagnostic>) -> Self {
        Self { report, call, found, is_reached: true, places: OnceCell::new(), address: OnceCell::new() }
    }

    fn push(&mut self, finding: Diagnostic) {
        account::work(8);
        let address = self.address.get_or_init(|| shared(format_args!("module.{}", self.call.name)));
        let origin = if self.is_reached { finding.origin } else { finding.origin.later() };
        account::push(self.found, Diagnostic { origin, address: Some(Arc::clone(address)), ..finding });
    }

    fn at_source(&self) -> Span {
        self.call.source.map_or(self.call.block.header, |argument| self.report.forest.expr_span(argument.expr))
    }

    fn missing_directory(&mut self, path: &str) {
        let detail = format!(
            "The source of this call leads to the directory {path:?}, which is not in the files. Add the directory, or correct the source."
        );
        let finding = Diagnostic::ours(&codes::UNREADABLE_DIRECTORY, self.at_source(), detail);
        self.push(finding.quoting(Quotes::Values(self.call.secrecy)));
    }

    /// Reports a call that leads back to the module that contains it; `path` is that of the called module.
    pub fn cycle(&mut self, path: &str) {
        let detail = format!(
            "The module in {path:?} calls, directly or through other modules, the module that contains this call, so installing them would never end. Break the cycle."
        );
        let finding = Diagnostic::ours(&codes::CYCLE, self.at_source(), detail);
        self.push(finding.quoting(Quotes::Values(self.call.secrecy)));
    }

    /// Reports a mistake in the provider configurations that the call passes.
    pub fn provider(&mut self, problem: &ProviderProblem<'_>) {
        let (report, block) = (self.report, self.call.block);
        let places = |name: &str| {
            let places = self.places.get_or_init(|| providers::places(report.forest, report.dialect, block));
            places.get(name).copied().unwrap_or((block.header, block.header))
        };
        let place = |name: &str| places(name).0;
        let module = self.call.name;
        let finding = match problem {
            &ProviderProblem::Missing(name) => {
                let detail = format!(
                    "The called module requires a provider configuration {name}, but this call does not pass one. Pass it in the argument `providers`."
                );
                Diagnostic::tool(&codes::PROVIDER_MISSING, block.header, detail)
            }
            &ProviderProblem::NotInherited(name) => {
                let detail = format!(
                    "The called module passes the provider configuration {name} on to a module that it calls, but it does not configure {name} itself, and this call does not pass it. Pass it in the argument `providers`."
                );
                Diagnostic::tool(&codes::PROVIDER_NOT_INHERITED, block.header, detail)
            }
            &ProviderProblem::Configured(name) => {
                let detail = format!(
                    "The called module configures {name} itself, so its caller cannot pass another configuration. Remove this entry, or the provider block in the called module."
                );
                Diagnostic::tool(&codes::PROVIDER_NOT_OVERRIDABLE, place(name), detail)
            }
            &ProviderProblem::Undeclared { name, is_error } => {
                let detail = format!(
                    "The module that module.{module} calls does not declare a provider {name}. Add an entry to its `required_providers`, or do not pass it."
                );
                let code = if is_error { &codes::PROVIDER_UNKNOWN } else { &codes::PROVIDER_NOT_DECLARED };
                let found = Diagnostic::tool(code, place(name), detail);
                if self.report.dialect.has(Behaviour::UndefinedProviderNamedInTitle) {
                    found.titled(format!("Provider {name} is undefined"))
                } else {
                    found
                }
            }
            ProviderProblem::Mismatch { inner, asked, passed, is_known } => {
                let detail = format!(
                    "The called module uses {inner} for the provider {asked}, but the configuration passed here is for the provider {passed}. Pass one for the right provider."
                );
                let (at_inner, at_outer) = places(inner);
                Diagnostic::tool(&codes::PROVIDER_MISMATCH, if *is_known { at_inner } else { at_outer }, detail)
            }
            ProviderProblem::NotInCaller { inner, outer } => {
                let detail = format!(
                    "This module has no provider configuration {outer}. Add a `provider` block with that alias, or declare it in `configuration_aliases` to take it from the caller."
                );
                Diagnostic::ours(&codes::PASSED_MISSING, places(inner).1, detail)
            }
            ProviderProblem::NotRepeatable => {
                let Some(argument) = call::repetition(block) else { return };
                let detail = format!(
                    "The called module, or one that it calls, configures providers itself, so {} cannot be used. Pass the provider configurations from the caller instead.",
                    argument.name
                );
                let at = match &argument.decoded {
                    DecodedArgument::Items(items) => items.first().copied(),
                    _ => None,
                };
                let at = at.unwrap_or_else(|| report.forest.expr_span(argument.expr));
                Diagnostic::tool(&codes::NOT_REPEATABLE, at, detail)
            }
        };
        self.push(finding);
    }

    /// Reports arguments that are missing, and those that the called module does not have.
    pub fn arguments(&mut self, facts: &CallFacts, called: &Summary) {
        let (forest, block) = (self.report.forest, self.call.block);
        let at = BodyAt::of_block(forest, block.range).map_or(block.header, |body| body.missing_item(forest));
        for name in missing_arguments(facts, called) {
            let detail = if block.is_overridden() {
                format!(
                    "The variable {name:?} of the called module has no default, so the call must set this argument in its primary file. An override that sets it is not enough."
                )
            } else {
                format!(
                    "The variable {name:?} of the called module has no default, so the call must set this argument."
                )
            };
            self.push(Diagnostic::tool(&MISSING_REQUIRED_ARGUMENT, at, detail));
        }
        if !has_extraneous_arguments(facts, called) {
            return;
        }
        for argument in call::inputs(block).filter(|argument| !called.variables.contains_key(argument.name)) {
            let code = if forest.json(argument.name_span.source).is_some() {
                &EXTRANEOUS_PROPERTY
            } else {
                &UNSUPPORTED_ARGUMENT
            };
            let known = called.variables.keys().map(|name| &**name);
            let hint = overfold_base::nearest::hint(argument.name, known);
            let detail = format!("The called module does not declare a variable named {:?}.{hint}", argument.name);
            self.push(Diagnostic::tool(code, argument.name_span, detail));
        }
        for inner in call::unknown_blocks(block) {
            let detail = format!(
                "A module call can contain only arguments, so the block {:?} is not allowed here.",
                inner.keyword
            );
            let at = Span { end: inner.header.start + keyword_length(inner), ..inner.header };
            self.push(Diagnostic::tool(&UNSUPPORTED_BLOCK_TYPE, at, detail));
        }
    }

    /// Reports values that do not fit, and returns whether there are any.
    fn values(&mut self, facts: &CallFacts, called: &Summary) -> bool {
        let mut any = false;
        // The arguments by name, once a value is wrong.
        let mut inputs: Option<HashMap<&str, &Argument<'_>>> = None;
        let block = self.call.block;
        for (name, taken, problem) in arguments::problems(facts, called) {
            any = true;
            let inputs = inputs.get_or_insert_with(|| {
                account::work(2 * block.arguments.len() as u64);
                let mut named = HashMap::default();
                for argument in call::inputs(block) {
                    named.entry(argument.name).or_insert(argument);
                }
                named
            });
            let Some(&argument) = inputs.get(name) else { continue };
            let finding = value_problem(self.report, self.call, argument, taken, &problem);
            self.push(finding);
        }
        any
    }
}

fn keyword_length(block: &Block<'_>) -> u32 {
    u32::try_from(block.keyword.len()).unwrap_or_default()
}

/// Words a mistake in the value that a call passes for a variable.
pub fn value_problem(
    report: &Report<'_>,
    call: &Call<'_>,
    argument: &Argument<'_>,
    taken: &VariableFacts,
    problem: &ValueProblem,
) -> Diagnostic {
    let at = report.forest.expr_span(argument.expr);
    let name = argument.name;
    match problem {
        ValueProblem::Misfit(error) => {
            let misfit =
                format!("The value cannot be converted to the type of the called module's variable {name:?}");
            let place = error.path_text();
            let place = if place.is_empty() { String::new() } else { format!(" (at {place})") };
            let secrecy = arguments::secrecy(report, call, name).max(taken.secrecy);
            Diagnostic::tool(&codes::MISFIT, at, format!("{misfit}{place}: {}.", error.reason))
                .quoting(Quotes::Values(secrecy))
                .with_redacted_detail(format!("{misfit}. The value is sensitive, so the reason is not shown."))
        }
        ValueProblem::Null => {
            let detail = format!(
                "The value is null, but the called module's variable {name:?} has `nullable = false` and no default to use instead."
            );
            Diagnostic::tool(&codes::NULL, at, detail)
        }
        ValueProblem::Ephemeral => {
            let detail = format!(
                "The value is ephemeral, but the called module's variable {name:?} is not. Set `ephemeral = true` there, or pass another value."
            );
            Diagnostic::tool(&codes::EPHEMERAL_VALUE, at, detail)
        }
    }
}
