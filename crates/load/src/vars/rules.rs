//! Validation rules (expressions.md, section 4).
//!
//! 1. References are checked first, for all rules of a variable together; if one of them is invalid, none of the rules
//!    is evaluated.
//! 2. Every rule is evaluated with all variables unknown. If there are errors up to this point, only they are
//!    reported.
//! 3. Every rule of a variable that has a value is evaluated with values.
//!
//! OpenTofu checks one rule after another, its references first, up to the first error.
//!
//! In each of these passes, the tool leaves out variables whose rules use a variable that has failed (`dependents`).
//!
//! A sensitive variable is not sensitive in its own rules, but in those of other variables it is. A diagnostic that may
//! contain a sensitive value is marked as such, and its text is not shown, although the tool shows it (variables.md,
//! section A6.6).

use std::cell::OnceCell;

use foldhash::HashSet;

use super::declared::RuleAt;
use super::judgement::{EvaluatedMessage, Judgement, UnknownMessage};
use super::rule_values::{RulePass, RuleValues, SelfSensitivity};
use super::{Inputs, Phases, Reader, ResolvingVariable, codes, dependents};
use crate::module_checks::provider_names;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Reporting, Secrecy, Span};
use overfold_base::nearest::hint;
use overfold_dialect::Behaviour;
use overfold_eval::ProviderFunctions;
use overfold_eval::codes::UNKNOWN_FUNCTION;
use overfold_model::config::{ObjectAddr, Payload};
use overfold_model::language::references::Subject;
use overfold_model::scope::{self, Definitions, Language, LocalSecrecy, Reference, References};
use overfold_syntax::{ExprAt, statics};
use overfold_value::Value;

/// Checks all rules of all variables.
pub(super) fn check(reader: &Reader<'_>, list: &[ResolvingVariable<'_>], phases: &mut Phases) {
    if list.iter().all(|variable| variable.declared.rules.is_empty()) {
        return;
    }
    let inputs = reader.inputs;
    let providers = provider_functions(inputs);
    let definitions = Definitions::from_module(inputs.module);
    let language = Language::new(inputs.dialect, inputs.forest, inputs.files.clone());
    let language = Language { providers: Some(&providers), ..language };
    let mut checker = Checker::new(inputs, language, &definitions, list);
    let ends_early = inputs.dialect.has(Behaviour::RulesEndAtFirstError);
    let mut early = Vec::with_capacity(list.len());
    let mut late = Vec::with_capacity(list.len());
    for variable in list {
        let mut without = Diagnostics::new();
        let mut with = Diagnostics::new();
        if ends_early {
            checker.rules_to_first_error(variable, &mut without, &mut with);
        } else {
            checker.all_rules(variable, &mut without, &mut with);
        }
        early.push((variable, without));
        late.push((variable, with));
    }
    let missing = checker.functions_of_missing_providers(list);
    if missing.is_empty() {
        checker.report_pass(early, |_| false, &mut phases.rules);
        checker.report_pass(late, |variable| variable.unsettled, &mut phases.resolve);
        return;
    }
    // The tool looks for them before it evaluates anything.
    let told: HashSet<Span> = missing.iter().filter_map(|found| found.span).collect();
    phases.rules.extend(missing);
    for (_, mut found) in early.into_iter().chain(late) {
        found.retain(|found| found.code != &UNKNOWN_FUNCTION || found.span.is_none_or(|at| !told.contains(&at)));
        phases.rules.append(later(found));
    }
}

/// Returns the functions of the providers that the module requires, with their signatures where a schema says so.
fn provider_functions(inputs: &Inputs<'_>) -> ProviderFunctions {
    let mut providers = scope::provider_functions(inputs.module, inputs.forest);
    let Some(schemas) = inputs.provider_schemas.filter(|schemas| schemas.has_any()) else { return providers };
    for element in inputs.module.elements.iter().charged(1) {
        let Payload::Requirement(requirement) = &element.payload else { continue };
        let name = element.address.name();
        let address = provider_names::address(requirement.source.as_ref(), name, requirement.registry);
        if let Some(provider) = schemas.provider(&address) {
            providers.describe(name, provider.function_names().map(|name| (name, provider.function(name))));
        }
    }
    providers
}

/// Returns the diagnostics as ones that the tool would show only after a fix.
fn later(found: Diagnostics) -> Diagnostics {
    let mut out = Diagnostics::new();
    for mut diagnostic in found.into_vec() {
        diagnostic.origin = diagnostic.origin.later();
        out.push(diagnostic);
    }
    out
}

struct Checker<'a> {
    inputs: &'a Inputs<'a>,
    language: Language<'a>,
    definitions: &'a Definitions<'a>,
    /// The addresses of everything that the module declares.
    addresses: HashSet<ObjectAddr<'a>>,
    /// Computed when something is reported.
    secret_locals: OnceCell<LocalSecrecy<'a>>,
    without_values: RuleValues<'a>,
    with_values: RuleValues<'a>,
}

impl<'a> Checker<'a> {
    fn new(
        inputs: &'a Inputs<'a>,
        language: Language<'a>,
        definitions: &'a Definitions<'a>,
        list: &'a [ResolvingVariable<'_>],
    ) -> Self {
        let nulls_stay = !inputs.dialect.has(Behaviour::RootNullsBecomeDefaults);
        let assumes = inputs.dialect.has(Behaviour::FunctionsAreLookedUpInPlans);
        let values = |pass| {
            let assumes_functions = assumes && pass == RulePass::WithoutValues;
            let language = Language { assumes_functions, ..language.clone() };
            RuleValues::new(language, definitions, list, pass, nulls_stay)
        };
        Self {
            inputs,
            definitions,
            addresses: inputs.module.elements.iter().map(|element| element.address).collect(),
            secret_locals: OnceCell::new(),
            without_values: values(RulePass::WithoutValues),
            with_values: values(RulePass::WithValues),
            language,
        }
    }

    /// Reports the diagnostics of one pass of the tool, by variable. The tool does not check variables whose rules use
    /// a variable that has failed; `failed_before` returns whether a variable has already failed in this pass, before
    /// its rules.
    fn report_pass<'m>(
        &self,
        found: Vec<(&ResolvingVariable<'m>, Diagnostics)>,
        failed_before: impl Fn(&ResolvingVariable<'m>) -> bool,
        out: &mut Diagnostics,
    ) {
        let failed: Vec<ObjectAddr<'_>> = found
            .iter()
            .filter(|(variable, found)| failed_before(variable) || found.has_errors())
            .map(|(variable, _)| variable.declared.address)
            .collect();
        let unchecked = if failed.is_empty() {
            HashSet::default()
        } else {
            dependents::find(self.inputs.module, self.inputs.forest, self.language.words, failed.into_iter())
        };
        for (variable, found) in found {
            out.append(if unchecked.contains(&variable.declared.address) { later(found) } else { found });
        }
    }

    /// Returns an error for each function of a provider that the module does not require, in versions that look for them before
    /// anything else.
    fn functions_of_missing_providers(&self, list: &[ResolvingVariable<'_>]) -> Vec<Diagnostic> {
        if !self.inputs.dialect.has(Behaviour::ProvidersOfFunctionsAreRequired) {
            return Vec::new();
        }
        let rules = list.iter().flat_map(|variable| &variable.declared.rules);
        let expressions = rules.flat_map(|rule| [Some(rule.condition), rule.message]).flatten();
        let mut found = Vec::new();
        for expr in expressions {
            for call in statics::calls(self.language.forest, expr).charged(2) {
                let provider = call.name.strip_prefix("provider::").and_then(|rest| rest.split("::").next());
                let Some(provider) = provider else { continue };
                if !self.addresses.contains(&ObjectAddr::RequiredProvider(provider)) {
                    let detail =
                        format!("The module does not require a provider {provider:?}, so there is no such function.");
                    let finding = Diagnostic::tool(&UNKNOWN_FUNCTION, call.name_span, detail);
                    found.push(finding.titled("Unknown function provider"));
                }
            }
        }
        found
    }

    /// Checks the rules of a variable: without values, and with them.
    fn all_rules(&mut self, variable: &ResolvingVariable<'_>, without: &mut Diagnostics, with: &mut Diagnostics) {
        let sound = self.references(&variable.declared.rules, without);
        for rule in &variable.declared.rules {
            let mut found = Diagnostics::new();
            self.check_rule(variable, *rule, RulePass::WithoutValues, &mut found);
            if !sound {
                found = later(found);
            }
            // An error without values would also be an error with them.
            let continues = sound && !found.has_errors() && variable.value.is_some();
            without.append(found);
            if continues {
                self.check_rule(variable, *rule, RulePass::WithValues, with);
            }
        }
    }

    /// Checks the rules of a variable one after another. Of those after one with an error, the tool says nothing.
    fn rules_to_first_error(
        &mut self,
        variable: &ResolvingVariable<'_>,
        without: &mut Diagnostics,
        with: &mut Diagnostics,
    ) {
        for rule in &variable.declared.rules {
            let mut found = Diagnostics::new();
            if self.references(std::slice::from_ref(rule), &mut found) {
                self.check_rule(variable, *rule, RulePass::WithoutValues, &mut found);
            }
            without.append(if without.has_errors() { later(found) } else { found });
            if without.has_errors() || variable.value.is_none() {
                continue;
            }
            let mut found = Diagnostics::new();
            self.check_rule(variable, *rule, RulePass::WithValues, &mut found);
            with.append(if with.has_errors() { later(found) } else { found });
        }
    }

    // Step 1.

    /// Checks the references of all rules of one variable, in three steps like the tool: whether they are well-formed,
    /// whether the resources and modules exist, and whether everything else exists. The tool stops after the first
    /// step with an error. Returns whether there are no errors.
    fn references(&self, rules: &[RuleAt], out: &mut Diagnostics) -> bool {
        let mut steps = [Diagnostics::new(), Diagnostics::new(), Diagnostics::new()];
        let [malformed, objects, names] = &mut steps;
        for expr in rules.iter().flat_map(|rule| [Some(rule.condition), rule.message]).flatten() {
            let Language { forest, words, .. } = self.language;
            for reference in &References::new(forest, words, self.definitions, expr, |_| false).list {
                malformed.extend(reference.malformed.iter().cloned());
                self.object(reference, objects);
                self.name(reference, names);
            }
        }
        let mut sound = true;
        for found in steps {
            let fine = !found.has_errors();
            out.append(if sound { found } else { later(found) });
            sound &= fine;
        }
        sound
    }

    /// Returns a question that suggests a resource with a similar address.
    fn similar_resource(&self, address: ObjectAddr<'_>) -> String {
        if !account::work_on_suggestion(self.addresses.len() as u64) {
            return String::new();
        }
        let resources = self.addresses.iter().filter(|known| matches!(known, ObjectAddr::Resource { .. }));
        let texts: Vec<String> = resources.map(ObjectAddr::to_string).collect();
        hint(&address.to_string(), texts.iter().map(String::as_str))
    }

    /// Checks references to resources of every mode, module calls and `self`.
    fn object(&self, reference: &Reference<'_>, out: &mut Diagnostics) {
        let Some(subject) = &reference.subject else { return };
        let (code, detail) = match subject {
            Subject::Resource { mode, type_name, name, .. } => {
                let address = ObjectAddr::Resource { mode: *mode, type_name, name };
                if self.addresses.contains(&address) {
                    return;
                }
                let hint = self.similar_resource(address);
                (&scope::codes::UNDECLARED_RESOURCE, format!("The module does not declare {address}.{hint}"))
            }
            Subject::Module { name, .. } => {
                if self.addresses.contains(&ObjectAddr::ModuleCall(name)) {
                    return;
                }
                let calls = self.addresses.iter().filter_map(|address| match address {
                    ObjectAddr::ModuleCall(name) => Some(*name),
                    _ => None,
                });
                let hint = hint(name, calls);
                (&scope::codes::UNDECLARED_MODULE, format!("The module has no module call named {name:?}.{hint}"))
            }
            Subject::This => (
                &scope::codes::NO_SELF,
                "`self` is not available in a validation rule. Refer to the variable by its name.".to_owned(),
            ),
            Subject::Caller => {
                (&scope::codes::NO_CALLER, "`caller` exists only in the configuration of an action.".to_owned())
            }
            _ => return,
        };
        out.push(Diagnostic::tool(code, reference.span, detail));
    }

    /// Checks all other references.
    fn name(&self, reference: &Reference<'_>, out: &mut Diagnostics) {
        let (code, detail) = match (reference.fault(), &reference.subject) {
            (Some(fault), _) => fault.wording(self.definitions),
            (None, Some(Subject::Count(name))) if name != "index" => {
                (&scope::codes::COUNT_ATTRIBUTE, format!("`count` has no attribute {name:?}; it has only index."))
            }
            (None, Some(Subject::Count(_))) => (
                &scope::codes::NO_COUNT,
                "`count` is not available in a validation rule, because a variable has no instances.".to_owned(),
            ),
            (None, Some(Subject::Each(name))) => match &**name {
                "key" => (
                    &scope::codes::NO_EACH,
                    "`each` is not available in a validation rule, because a variable has no instances.".to_owned(),
                ),
                "value" => (
                    &scope::codes::NO_EACH_VALUE,
                    "`each` is not available in a validation rule, because a variable has no instances.".to_owned(),
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

    // Steps 2 and 3.

    fn check_rule(&mut self, variable: &ResolvingVariable<'_>, rule: RuleAt, pass: RulePass, out: &mut Diagnostics) {
        // References are looked up, the value is converted, and a finding may be built.
        account::work(192);
        let forest = self.inputs.forest;
        let condition_span = forest.expr_span(rule.condition);
        let address = variable.declared.address;
        let result = self.evaluate(rule.condition, variable, pass, SelfSensitivity::Plain, out);
        let message = rule.message.map(|expr| {
            let evaluate = |out: &mut Diagnostics| self.evaluate(expr, variable, pass, SelfSensitivity::Plain, out);
            EvaluatedMessage::new(forest, expr, evaluate, out)
        });
        let undecided = |detail| Diagnostic::ours(&codes::RULE_UNDECIDED, condition_span, detail).about(address);
        let unknown = UnknownMessage::for_dialect(self.inputs.dialect, pass == RulePass::WithValues);
        match Judgement::from_result(&result, message.as_ref(), unknown) {
            Judgement::NoBool(why) => {
                let wrong = Diagnostic::tool(&codes::RULE_RESULT, condition_span, why).about(address);
                out.push(wrong.quoting(Quotes::Values(self.secrecy(rule.condition))));
            }
            Judgement::Unknown if pass == RulePass::WithValues && !out.has_errors() => {
                let detail = "This rule depends on something that is known only during a plan or apply, so it cannot be checked here.";
                out.push(undecided(detail));
            }
            Judgement::Holds | Judgement::Unknown => {}
            Judgement::MessageUnknown => {
                out.extend(message.map(|message| message.not_known(forest).about(address)));
            }
            Judgement::Broken => self.report_failed(variable, rule, (pass, message), out),
        }
    }

    /// Reports a rule that is not met: the tool's error, with the message of the rule if it may be shown, which may have
    /// been evaluated before.
    fn report_failed(
        &mut self,
        variable: &ResolvingVariable<'_>,
        rule: RuleAt,
        (pass, evaluated): (RulePass, Option<EvaluatedMessage>),
        out: &mut Diagnostics,
    ) {
        let mut message = None;
        let mut secrecy = Secrecy::Open;
        let forest = self.inputs.forest;
        if let (Some(expr), Some(evaluated)) = (rule.message, evaluated) {
            match evaluated.shown(forest) {
                Ok(text) => {
                    // To determine whether a secret is involved, the variable keeps its own mark.
                    let marked =
                        self.evaluate(expr, variable, pass, SelfSensitivity::Marked, &mut Diagnostics::new());
                    secrecy = self.secrecy(expr).max(marked.deep_marks().secrecy());
                    message = Some(text);
                }
                Err(problem) => out.extend(problem.map(|problem| (*problem).about(variable.declared.address))),
            }
        }
        let message = message.unwrap_or_else(|| "(the error message cannot be shown)".to_owned());
        let broken = format!("The value of {} does not satisfy a validation rule", variable.declared.address);
        let at = match pass {
            RulePass::WithValues => variable.given_at(),
            RulePass::WithoutValues => variable.declared.header,
        };
        out.push(
            Diagnostic::tool(&codes::RULE_FAILED, at, format!("{broken}: {message}"))
                .about(variable.declared.address)
                .quoting(Quotes::Values(secrecy))
                .with_redacted_detail(format!(
                    "{broken}: (the error message refers to a sensitive value and is not shown)"
                ))
                .and("the rule", self.inputs.forest.expr_span(rule.condition)),
        );
    }

    /// Evaluates an expression in a rule of the variable `own`.
    fn evaluate(
        &mut self,
        expr: ExprAt,
        own: &ResolvingVariable<'_>,
        pass: RulePass,
        mark: SelfSensitivity,
        out: &mut Diagnostics,
    ) -> Value {
        let sees_own = pass == RulePass::WithValues && self.inputs.dialect.has(Behaviour::RulesSeeOwnMark);
        let mark = if sees_own { SelfSensitivity::Marked } else { mark };
        let values = match pass {
            RulePass::WithoutValues => &mut self.without_values,
            RulePass::WithValues => &mut self.with_values,
        };
        let (value, found) = out.collect(|out| values.evaluate(expr, own, mark, out));
        if !found.is_empty() {
            // Diagnostics of the evaluation may quote any value that is involved.
            let quotes = Quotes::Values(self.secrecy(expr));
            out.extend(found.into_iter().map(|found| found.quoting(quotes.clone())));
        }
        value
    }

    /// Returns how secret the values are from which the expression is computed, directly or through local values.
    fn secrecy(&self, expr: ExprAt) -> Secrecy {
        let Inputs { module, forest, .. } = self.inputs;
        let locals = self.secret_locals.get_or_init(|| LocalSecrecy::new(self.definitions, &module.secrets, forest));
        locals.expression(expr)
    }
}
