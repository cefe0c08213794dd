//! Validation rules (expressions.md, section 4).
//!
//! 1. References are checked first, those of all rules of a variable together; if one is wrong, none of them runs. A rule
//!    with an unknown function does not run either.
//! 2. Every rule is evaluated with all variables unknown. What is found up to here is reported alone.
//! 3. Every rule of a variable that has a value is evaluated with values.
//!
//! In each of these walks the tool leaves out variables whose rules use one that fails (`dependents`).
//!
//! In its own rules a sensitive variable is not sensitive; in those of others it is. A message of ours that may hold a
//! sensitive value says so, and is not shown then, although the tool's is (variables.md, section A6.6).

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::declared::{Declared, RuleAt};
use super::{Phases, Reader, ResolvingVariable, codes, dependents, secrecy};
use crate::account;
use crate::diag::{Diagnostic, Diagnostics, Origin, Quotes, Reporting, Secrecy, Span};
use crate::dialect::{self, Rule};
use crate::eval::{self, FunctionSet, JsonStrings, LogicRule, ProviderFunctions, Roots, Scope};
use crate::language::references::{AddressWords, Reference, Subject};
use crate::language::{references, required_providers};
use crate::nearest::hint;
use crate::syntax::{ExprAt, statics};
use crate::value::{Kind, Marks, Type, Value, convert, with_stack};

/// Checks every rule of every variable.
pub(super) fn check(reader: &Reader<'_>, list: &[ResolvingVariable<'_>], phases: &mut Phases) {
    let checker = Checker::new(reader, list);
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
                found = ours(found);
            } else if callable {
                checker.rule(variable, *rule, Pass::WithoutValues, &mut found);
            }
            // What is wrong without values is wrong with them, too.
            let goes_on = sound && !found.has_errors() && variable.value.is_some();
            without.append(found);
            if goes_on {
                checker.rule(variable, *rule, Pass::WithValues, &mut with);
            }
        }
        early.push((variable, without));
        late.push((variable, with));
    }
    checker.pass_on(early, |_| false, &mut phases.rules);
    checker.pass_on(late, |variable| variable.unsettled, &mut phases.resolve);
}

/// The same findings as what the tool would show only after a fix.
fn ours(found: Diagnostics) -> Diagnostics {
    let mut out = Diagnostics::new();
    for mut diagnostic in found.into_vec() {
        diagnostic.origin = Origin::Overfold;
        out.push(diagnostic);
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    WithoutValues,
    WithValues,
}

struct Checker<'a, 'm> {
    reader: &'a Reader<'a>,
    by_name: HashMap<&'a str, &'a ResolvingVariable<'m>>,
    /// Of everything that the module declares.
    addresses: HashSet<&'a str>,
    words: AddressWords,
    /// Put together when something is found.
    secret_locals: OnceCell<secrecy::Locals<'a>>,
    functions: &'static FunctionSet,
    /// Put together when a function is called.
    providers: OnceCell<ProviderFunctions>,
    logic: LogicRule,
    /// Values of locals that rules asked for, without and with the values of variables. One that is being evaluated is
    /// not known, which ends a cycle.
    locals: RefCell<HashMap<(Box<str>, bool), Value>>,
}

impl<'a, 'm> Checker<'a, 'm> {
    fn new(reader: &'a Reader<'a>, list: &'a [ResolvingVariable<'m>]) -> Self {
        let by_name = list.iter().map(|variable| (variable.declared.name, variable)).collect();
        let elements = &reader.inputs.module.elements;
        let addresses = elements.iter().map(|element| element.address.0).collect();
        let dialect = reader.inputs.dialect;
        let short = dialect.has(Rule::LogicShortCircuits);
        let logic = if short { LogicRule::ShortCircuit } else { LogicRule::BothSides };
        let words = AddressWords::of(dialect);
        Self {
            reader,
            by_name,
            addresses,
            words,
            locals: RefCell::default(),
            secret_locals: OnceCell::new(),
            functions: dialect::functions(dialect),
            providers: OnceCell::new(),
            logic,
        }
    }

    /// Passes on what one walk of the tool finds, by variable. Variables whose rules use a variable that fails are not
    /// checked by the tool; `failed_before`: it failed in this walk already, before its rules.
    fn pass_on(
        &self,
        found: Vec<(&ResolvingVariable<'m>, Diagnostics)>,
        failed_before: impl Fn(&ResolvingVariable<'m>) -> bool,
        out: &mut Diagnostics,
    ) {
        let inputs = self.reader.inputs;
        let failed: Vec<&str> = found
            .iter()
            .filter(|(variable, found)| failed_before(variable) || found.has_errors())
            .map(|(variable, _)| variable.declared.address)
            .collect();
        let unchecked = if failed.is_empty() {
            HashSet::new()
        } else {
            dependents::of(inputs.module, inputs.forest, self.words, failed.into_iter())
        };
        for (variable, found) in found {
            out.append(if unchecked.contains(variable.declared.address) { ours(found) } else { found });
        }
    }

    // Step 1.

    /// The references of all rules of one variable, in three steps as the tool has them: whether each is one, whether the
    /// resources and modules exist, whether the rest exists. A step with a mistake is the last one that the tool
    /// takes. Gives whether all is well.
    fn references(&self, rules: &[RuleAt], out: &mut Diagnostics) -> bool {
        let forest = self.reader.inputs.forest;
        let mut steps = [Diagnostics::new(), Diagnostics::new(), Diagnostics::new()];
        let [malformed, objects, names] = &mut steps;
        for expr in rules.iter().flat_map(|rule| [Some(rule.condition), rule.message]).flatten() {
            for traversal in statics::references(forest, expr) {
                if let Some(reference) = references::reference(&traversal, self.words, malformed) {
                    self.object(&reference, objects);
                    self.name(&reference, names);
                }
            }
        }
        let mut sound = true;
        for found in steps {
            let fine = !found.has_errors();
            out.append(if sound { found } else { ours(found) });
            sound &= fine;
        }
        sound
    }

    /// Resources of every mode, module calls, `self`.
    fn object(&self, reference: &Reference, out: &mut Diagnostics) {
        let (code, detail) = match &reference.subject {
            Subject::Resource { mode, type_name, name, .. } => {
                let address = format!("{}{type_name}.{name}", mode.prefix());
                if self.addresses.contains(address.as_str()) {
                    return;
                }
                let hint = hint(&address, self.addresses.iter().copied());
                (&codes::UNKNOWN_RESOURCE, format!("The module does not declare {address}.{hint}"))
            }
            Subject::Module { name, .. } => {
                if self.addresses.contains(format!("module.{name}").as_str()) {
                    return;
                }
                let calls = self.addresses.iter().filter_map(|address| address.strip_prefix("module."));
                let hint = hint(name, calls);
                (&codes::UNKNOWN_MODULE, format!("There is no module call named {name:?}.{hint}"))
            }
            Subject::This => (&codes::NO_SELF, "`self` is not available in a validation rule.".to_owned()),
            _ => return,
        };
        out.push(Diagnostic::tool(code, reference.span, detail));
    }

    /// Everything else.
    fn name(&self, reference: &Reference, out: &mut Diagnostics) {
        let (code, detail) = match &reference.subject {
            Subject::Variable(name) if !self.by_name.contains_key(name.as_str()) => {
                let hint = hint(name, self.by_name.keys().copied());
                (
                    &codes::UNKNOWN_VARIABLE,
                    format!("The module does not declare an input variable named {name:?}.{hint}"),
                )
            }
            Subject::Local(name) if !self.addresses.contains(format!("local.{name}").as_str()) => {
                let locals = self.addresses.iter().filter_map(|address| address.strip_prefix("local."));
                let hint = hint(name, locals);
                (&codes::UNKNOWN_LOCAL, format!("The module does not declare a local value named {name:?}.{hint}"))
            }
            Subject::Path(name) if !matches!(name.as_str(), "cwd" | "module" | "root") => {
                (&codes::PATH_ATTRIBUTE, format!("`path` has no attribute {name:?}; it has cwd, module and root."))
            }
            Subject::Terraform(name) if !matches!(name.as_str(), "workspace" | "applying") => {
                (&codes::TERRAFORM_ATTRIBUTE, format!("`terraform` has no attribute {name:?}."))
            }
            Subject::Count(name) if name != "index" => {
                (&codes::COUNT_ATTRIBUTE, format!("`count` has no attribute {name:?}; it has only index."))
            }
            Subject::Count(_) => (&codes::NO_COUNT, "`count` is not available in a validation rule.".to_owned()),
            Subject::Each(name) => match name.as_str() {
                "key" => (&codes::NO_EACH, "`each` is not available in a validation rule.".to_owned()),
                "value" => (&codes::NO_EACH_VALUE, "`each` is not available in a validation rule.".to_owned()),
                _ => (&codes::EACH_ATTRIBUTE, format!("`each` has no attribute {name:?}; it has key and value.")),
            },
            _ => return,
        };
        out.push(Diagnostic::tool(code, reference.span, detail));
    }

    /// Whether every function of the rule exists.
    fn functions(&self, rule: RuleAt, out: &mut Diagnostics) -> bool {
        let forest = self.reader.inputs.forest;
        let calls = [Some(rule.condition), rule.message].into_iter().flatten();
        let mut all_exist = true;
        for call in calls.flat_map(|expr| statics::calls(forest, expr)) {
            let providers = Some(self.providers());
            if let Some(unknown) = eval::unknown_function(self.functions, providers, &call.name, call.name_span) {
                all_exist = false;
                out.push(unknown);
            }
        }
        all_exist
    }

    /// The required providers of the module: only their functions can be called.
    fn providers(&self) -> &ProviderFunctions {
        self.providers.get_or_init(|| {
            let inputs = self.reader.inputs;
            let mut providers = ProviderFunctions::default();
            account::work(inputs.module.elements.len() as u64);
            for element in &inputs.module.elements {
                let Some(name) = element.address.0.strip_prefix("terraform.required_providers.") else { continue };
                let source = element.block.arguments.iter().find(|argument| argument.name == "source");
                let builtin = required_providers::is_builtin(inputs.forest, name, source.map(|source| source.expr));
                providers.add(name, builtin);
            }
            providers
        })
    }

    // Steps 2 and 3.

    fn rule(&self, variable: &ResolvingVariable<'_>, rule: RuleAt, pass: Pass, out: &mut Diagnostics) {
        let forest = self.reader.inputs.forest;
        let condition_span = forest.expr_span(rule.condition);
        let address = variable.declared.address;
        let (result, verdict) = out.watch(|out| self.evaluate(rule.condition, variable, pass, Own::Plain, out));
        if verdict.failed() {
            return;
        }
        let result = result.unmarked_deep();
        let wrong = |why: String| Diagnostic::tool(&codes::RULE_RESULT, condition_span, why).about(address);
        let holds = if result.is_null() {
            out.push(wrong("The condition is null; it must be true or false.".to_owned()));
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
            Kind::Bool(false) => self.failed(variable, rule, pass, out),
            _ if pass == Pass::WithValues => {
                let detail = "This rule depends on something that is known only when the tool runs.";
                out.push(Diagnostic::ours(&codes::RULE_UNDECIDED, condition_span, detail).about(address));
            }
            _ => {}
        }
    }

    /// A rule that does not hold: the tool's error, with the rule's message where it may be shown.
    fn failed(&self, variable: &ResolvingVariable<'_>, rule: RuleAt, pass: Pass, out: &mut Diagnostics) {
        let mut said = None;
        let mut secrecy = Secrecy::Open;
        if let Some(expr) = rule.message {
            let span = self.reader.inputs.forest.expr_span(expr);
            let mut found = Diagnostics::new();
            let text = self.evaluate(expr, variable, pass, Own::Plain, &mut found);
            match shown(&text, found.has_errors(), span) {
                Ok(text) => {
                    // Whether a secret takes part is seen with the variable's own mark in place.
                    let marked = self.evaluate(expr, variable, pass, Own::Marked, &mut Diagnostics::new());
                    secrecy = self.secrecy(expr).max(marked.deep_marks().secrecy());
                    said = Some(text);
                }
                Err(error) => {
                    out.append(found);
                    out.extend(error.map(|error| (*error).about(variable.declared.address)));
                }
            }
        }
        let said = said.unwrap_or_else(|| "(the error message cannot be shown)".to_owned());
        let broken = format!("The value of {} does not satisfy a validation rule", variable.declared.address);
        let at = match pass {
            Pass::WithValues => variable.given_at(),
            Pass::WithoutValues => variable.declared.header,
        };
        out.push(
            Diagnostic::tool(&codes::RULE_FAILED, at, format!("{broken}: {said}"))
                .about(variable.declared.address)
                .quoting(Quotes::Values(secrecy))
                .or_withheld(format!("{broken}: (the error message refers to a sensitive value and is not shown)"))
                .and("the rule", self.reader.inputs.forest.expr_span(rule.condition)),
        );
    }

    fn evaluate(
        &self,
        expr: ExprAt,
        own: &ResolvingVariable<'_>,
        pass: Pass,
        mark: Own,
        out: &mut Diagnostics,
    ) -> Value {
        let inputs = self.reader.inputs;
        let roots = self.roots(expr, own, pass, mark);
        let scope = Scope {
            roots: Some(&roots),
            functions: Some(self.functions),
            providers: Some(self.providers()),
            files: Some(inputs.files.clone()),
            json: JsonStrings::Templates,
            logic: self.logic,
        };
        let (value, found) = out.collect(|out| eval::evaluate(inputs.forest, expr, &scope, out));
        if !found.is_empty() {
            // Whatever the evaluation has to say may quote any value that takes part.
            let quotes = Quotes::Values(self.secrecy(expr));
            out.extend(found.into_iter().map(|found| found.quoting(quotes.clone())));
        }
        value
    }

    /// How secret the values are that the expression is made of, itself or through local values.
    fn secrecy(&self, expr: ExprAt) -> Secrecy {
        let inputs = self.reader.inputs;
        let locals = self.secret_locals.get_or_init(|| secrecy::Locals::of(inputs.module, inputs.forest));
        locals.expression(inputs.module, inputs.forest, expr)
    }

    fn local_expression(&self, name: &str) -> Option<ExprAt> {
        let address = format!("local.{name}");
        let elements = &self.reader.inputs.module.elements;
        let declared = elements.iter().find(|element| *element.address.0 == *address)?;
        declared.block.arguments.first().filter(|argument| !argument.broken).map(|argument| argument.expr)
    }

    /// The value of a local: not known where it depends on anything beside variables, functions and other locals, or
    /// cannot be evaluated.
    fn local(&self, name: &str, own: &ResolvingVariable<'_>, pass: Pass) -> Value {
        let key = (Box::from(name), pass == Pass::WithValues);
        if let Some(value) = self.locals.borrow().get(&key) {
            return value.clone();
        }
        self.locals.borrow_mut().insert(key.clone(), Value::dynamic());
        let Some(expr) = self.local_expression(name) else { return Value::dynamic() };
        let mut found = Diagnostics::new();
        let value = with_stack(|| self.evaluate(expr, own, pass, Own::Marked, &mut found));
        let value = if found.has_errors() { Value::dynamic() } else { value };
        self.locals.borrow_mut().insert(key, value.clone());
        value
    }

    /// The names that the expression uses, so that a rule costs what it uses and not what the module declares.
    fn roots(&self, expr: ExprAt, own: &ResolvingVariable<'_>, pass: Pass, mark: Own) -> Roots {
        let mut roots: Roots = BTreeMap::new();
        let mut variables: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        let mut locals: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for reference in statics::references(self.reader.inputs.forest, expr) {
            let root: Arc<str> = Arc::from(&*reference.root);
            match (&*root, reference.attr(0)) {
                ("var", Some(name)) => {
                    if let Some(variable) = self.by_name.get(name) {
                        let value = variable.seen_from(own.declared, pass, mark);
                        variables.insert(Arc::from(name), value);
                    }
                }
                ("local", Some(name)) => {
                    let value = self.local(name, own, pass);
                    locals.insert(Arc::from(name), value);
                }
                ("path", _) => {
                    roots.insert(root, path());
                }
                _ => {
                    roots.insert(root, Value::dynamic());
                }
            }
        }
        if !locals.is_empty() {
            roots.insert(Arc::from("local"), Value::object(locals.into_iter().collect()));
        }
        if !variables.is_empty() {
            roots.insert(Arc::from("var"), Value::object(variables.into_iter().collect()));
        }
        roots
    }
}

/// `path.module` and `path.root` of the root module; the working directory is the machine's matter.
fn path() -> Value {
    let unknown = Value::unknown(Type::String);
    Value::object(vec![
        (Arc::from("cwd"), unknown),
        (Arc::from("module"), Value::text(".")),
        (Arc::from("root"), Value::text(".")),
    ])
}

/// Whether a variable's own rules see its sensitive mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Plain,
    Marked,
}

impl ResolvingVariable<'_> {
    /// The variable's value as a rule of `owner` sees it.
    fn seen_from(&self, owner: &Declared<'_>, pass: Pass, mark: Own) -> Value {
        let ty = || self.declared.constraint.map_or(Type::Dynamic, |constraint| constraint.ty.without_optional());
        let value = match (pass, &self.value) {
            (Pass::WithValues, Some(value)) => value.clone(),
            _ => Value::unknown(ty()),
        };
        let mut marks = self.declared.marks();
        if owner.name == self.declared.name && mark == Own::Plain {
            marks = marks.without(Marks::SENSITIVE);
        }
        value.with_marks(marks)
    }
}

/// The message as text, or why it is none (nothing, where the evaluation has said it already).
fn shown(text: &Value, broken: bool, span: Span) -> Result<String, Option<Box<Diagnostic>>> {
    let wrong = |why: &'static str| Err(Some(Box::new(Diagnostic::tool(&codes::RULE_MESSAGE, span, why))));
    if broken {
        return wrong("The error message cannot be evaluated.");
    }
    // The tool says nothing more about a null.
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
        Err(_) => wrong("The error message is not a string."),
    }
}
