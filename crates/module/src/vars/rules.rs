//! Validation rules (expressions.md, section 4).
//!
//! 1. References are checked first, for all rules of a variable together; if one of them is invalid, none of the rules
//!    is evaluated. A rule with an unknown function is not evaluated, either.
//! 2. Every rule is evaluated with all variables unknown. If there are errors up to this point, only they are
//!    reported.
//! 3. Every rule of a variable that has a value is evaluated with values.
//!
//! In each of these passes, the tool leaves out variables whose rules use a variable that has failed (`dependents`).
//!
//! A sensitive variable is not sensitive in its own rules, but in those of other variables it is. A diagnostic that may
//! contain a sensitive value is marked as such, and its text is not shown, although the tool shows it (variables.md,
//! section A6.6).

use std::cell::OnceCell;

use foldhash::HashSet;

use super::declared::RuleAt;
use super::rule_values::{Own, Pass, RuleValues};
use super::{Inputs, Phases, Reader, ResolvingVariable, codes, dependents};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Reporting, Secrecy, Span};
use overfold_base::nearest::hint;
use overfold_eval as eval;
use overfold_model::config::ObjectAddr;
use overfold_model::language::references::Subject;
use overfold_model::scope::{self, Definitions, Language, LocalSecrecy, Reference, References};
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::{Kind, Type, Value, convert};

/// Checks all rules of all variables.
pub(super) fn check(reader: &Reader<'_>, list: &[ResolvingVariable<'_>], phases: &mut Phases) {
    if list.iter().all(|variable| variable.declared.rules.is_empty()) {
        return;
    }
    let inputs = reader.inputs;
    let providers = scope::provider_functions(inputs.module, inputs.forest);
    let definitions = Definitions::of(inputs.module);
    let language = Language::of(inputs.dialect, inputs.forest, inputs.files.clone());
    let language = Language { providers: Some(&providers), ..language };
    let mut checker = Checker::new(inputs, language, &definitions, list);
    let mut early = Vec::with_capacity(list.len());
    let mut late = Vec::with_capacity(list.len());
    for variable in list {
        let mut without = Diagnostics::new();
        let mut with = Diagnostics::new();
        let sound = checker.references(&variable.declared.rules, &mut without);
        for rule in &variable.declared.rules {
            let mut found = Diagnostics::new();
            let callable = checker.functions(*rule, &mut found);
            if !sound {
                found = later(found);
            } else if callable {
                checker.check_rule(variable, *rule, Pass::WithoutValues, &mut found);
            }
            // An error without values would also be an error with them.
            let continues = sound && !found.has_errors() && variable.value.is_some();
            without.append(found);
            if continues {
                checker.check_rule(variable, *rule, Pass::WithValues, &mut with);
            }
        }
        early.push((variable, without));
        late.push((variable, with));
    }
    checker.report_pass(early, |_| false, &mut phases.rules);
    checker.report_pass(late, |variable| variable.unsettled, &mut phases.resolve);
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
        let values = |pass| RuleValues::new(language.clone(), definitions, list, pass);
        Self {
            inputs,
            definitions,
            addresses: inputs.module.elements.iter().map(|element| element.address).collect(),
            secret_locals: OnceCell::new(),
            without_values: values(Pass::WithoutValues),
            with_values: values(Pass::WithValues),
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
            dependents::of(self.inputs.module, self.inputs.forest, self.language.words, failed.into_iter())
        };
        for (variable, found) in found {
            out.append(if unchecked.contains(&variable.declared.address) { later(found) } else { found });
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
            for reference in &References::of(forest, words, self.definitions, expr, |_| false).list {
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

    /// Whether all functions that the rule calls exist.
    fn functions(&self, rule: RuleAt, out: &mut Diagnostics) -> bool {
        let Language { forest, functions, providers, .. } = &self.language;
        let calls = [Some(rule.condition), rule.message].into_iter().flatten();
        let mut all_exist = true;
        for call in calls.flat_map(|expr| statics::calls(forest, expr)) {
            if let Some(unknown) = eval::unknown_function(functions, *providers, call.name, call.name_span) {
                all_exist = false;
                out.push(unknown);
            }
        }
        all_exist
    }

    // Steps 2 and 3.

    fn check_rule(&mut self, variable: &ResolvingVariable<'_>, rule: RuleAt, pass: Pass, out: &mut Diagnostics) {
        // References are looked up, the value is converted, and a finding may be built.
        account::work(192);
        let forest = self.inputs.forest;
        let condition_span = forest.expr_span(rule.condition);
        let address = variable.declared.address;
        let (result, verdict) = out.watch(|out| self.evaluate(rule.condition, variable, pass, Own::Plain, out));
        let message = match (rule.message, pass) {
            (Some(expr), Pass::WithValues) => {
                let evaluate = |out: &mut Diagnostics| self.evaluate(expr, variable, pass, Own::Plain, out);
                Some(EvaluatedMessage::of(forest, expr, evaluate, out))
            }
            _ => None,
        };
        if verdict.failed() {
            return;
        }
        let result = result.unmarked_deep();
        let wrong = |why: String| Diagnostic::tool(&codes::RULE_RESULT, condition_span, why).about(address);
        let holds = if result.is_null() {
            out.push(wrong("The condition is null, but it must be true or false.".to_owned()));
            return;
        } else {
            match convert(&result, &Type::Bool) {
                Ok(holds) => holds,
                Err(error) => {
                    let wrong = wrong(format!("The condition is not a boolean: {error}."));
                    out.push(wrong.quoting(Quotes::Values(self.secrecy(rule.condition))));
                    return;
                }
            }
        };
        match holds.kind() {
            Kind::Bool(true) => {}
            Kind::Bool(false) => match message {
                Some(message) if message.failed => {
                    out.extend(message.shown(forest).err().flatten().map(|problem| (*problem).about(address)));
                }
                message => self.report_failed(variable, rule, (pass, message), out),
            },
            _ if pass == Pass::WithValues => {
                let detail = "This rule depends on something that is known only when the tool runs, so it cannot be checked here.";
                out.push(Diagnostic::ours(&codes::RULE_UNDECIDED, condition_span, detail).about(address));
            }
            _ => {}
        }
    }

    /// Reports a rule that is not met: the tool's error, with the message of the rule if it may be shown, which may have
    /// been evaluated before.
    fn report_failed(
        &mut self,
        variable: &ResolvingVariable<'_>,
        rule: RuleAt,
        (pass, evaluated): (Pass, Option<EvaluatedMessage>),
        out: &mut Diagnostics,
    ) {
        let mut message = None;
        let mut secrecy = Secrecy::Open;
        let forest = self.inputs.forest;
        if let Some(expr) = rule.message {
            let evaluated = evaluated.unwrap_or_else(|| {
                let evaluate = |out: &mut Diagnostics| self.evaluate(expr, variable, pass, Own::Plain, out);
                EvaluatedMessage::of(forest, expr, evaluate, out)
            });
            match evaluated.shown(forest) {
                Ok(text) => {
                    // To determine whether a secret is involved, the variable keeps its own mark.
                    let marked = self.evaluate(expr, variable, pass, Own::Marked, &mut Diagnostics::new());
                    secrecy = self.secrecy(expr).max(marked.deep_marks().secrecy());
                    message = Some(text);
                }
                Err(problem) => out.extend(problem.map(|problem| (*problem).about(variable.declared.address))),
            }
        }
        let message = message.unwrap_or_else(|| "(the error message cannot be shown)".to_owned());
        let broken = format!("The value of {} does not satisfy a validation rule", variable.declared.address);
        let at = match pass {
            Pass::WithValues => variable.given_at(),
            Pass::WithoutValues => variable.declared.header,
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
        pass: Pass,
        mark: Own,
        out: &mut Diagnostics,
    ) -> Value {
        let values = match pass {
            Pass::WithoutValues => &mut self.without_values,
            Pass::WithValues => &mut self.with_values,
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
        let locals = self.secret_locals.get_or_init(|| LocalSecrecy::of(self.definitions, &module.secrets, forest));
        locals.expression(expr)
    }
}

/// The message of a rule, evaluated.
pub(crate) struct EvaluatedMessage {
    expr: ExprAt,
    /// Its value.
    pub(crate) text: Value,
    /// Whether the evaluation failed, which has been reported.
    pub(crate) failed: bool,
}

impl EvaluatedMessage {
    /// Evaluates a message, as the tool does whether the rule is met or not (plan.md, section 9). A string in JSON syntax that
    /// cannot be evaluated is the message as it is written.
    pub(crate) fn of(
        forest: &Forest,
        expr: ExprAt,
        evaluate: impl FnOnce(&mut Diagnostics) -> Value,
        out: &mut Diagnostics,
    ) -> Self {
        let mut found = Diagnostics::new();
        let text = evaluate(&mut found);
        let failed = found.has_errors();
        if failed && let Some(written) = forest.json_text(expr) {
            let detail = "The error message cannot be evaluated, so its text is used as it is written.";
            out.push(Diagnostic::tool(&codes::RULE_MESSAGE_TEXT, forest.expr_span(expr), detail));
            return Self { expr, text: Value::text(written), failed: false };
        }
        out.append(found);
        Self { expr, text, failed }
    }

    /// Returns the message as a string, or why it cannot be shown (nothing if the evaluation has already reported it).
    pub(crate) fn shown(&self, forest: &Forest) -> Result<String, Option<Box<Diagnostic>>> {
        shown(&self.text, self.failed, forest.expr_span(self.expr))
    }
}

/// Returns the message as a string, or why there is none (nothing if the evaluation has already reported it).
fn shown(text: &Value, broken: bool, span: Span) -> Result<String, Option<Box<Diagnostic>>> {
    let wrong = |why: &'static str| Err(Some(Box::new(Diagnostic::tool(&codes::RULE_MESSAGE, span, why))));
    if broken {
        return wrong("The error message could not be evaluated, so it cannot be shown.");
    }
    // The tool reports nothing more about null.
    if text.is_null() {
        return Err(None);
    }
    let marks = text.deep_marks();
    if marks.is_sensitive() {
        return wrong("The error message refers to a sensitive value, so it is not shown.");
    }
    if marks.is_ephemeral() {
        return wrong("The error message refers to an ephemeral value, so it is not shown.");
    }
    match convert(text, &Type::String) {
        Ok(value) => match value.as_text() {
            Some(text) => Ok(text.to_owned()),
            None => Err(None),
        },
        Err(_) => wrong("The error message is not a string and cannot be converted to one."),
    }
}
