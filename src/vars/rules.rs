//! Validation rules (expressions.md, section 4).
//!
//! 1. References and function names are checked first; if one is wrong, nothing runs.
//! 2. Every rule is evaluated with all variables unknown. What is found now is told alone.
//! 3. Every rule of a variable that has a value is evaluated with values.
//!
//! In its own rules a sensitive variable is not sensitive; in those of others it is. A message of ours never holds a
//! sensitive value, although the tool's may (variables.md, A6).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::declared::{Declared, RuleAt};
use super::{Phases, Reader, Working, codes};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::dialect::{self, Rule};
use crate::eval::{self, FunctionSet, JsonStrings, LogicRule, Roots, Scope};
use crate::syntax::ExprAt;
use crate::syntax::statics::{self, Traversal};
use crate::value::{Kind, Marks, Type, Value, convert};

/// Checks every rule of every variable.
pub(super) fn check(reader: &Reader<'_>, list: &[Working<'_>], phases: &mut Phases) {
    let checker = Checker::new(reader, list);
    for variable in list {
        for rule in &variable.declared.rules {
            checker.references(*rule, &mut phases.references);
        }
    }
    for variable in list {
        for rule in &variable.declared.rules {
            checker.rule(variable, *rule, Pass::WithoutValues, &mut phases.without_values);
        }
    }
    for variable in list.iter().filter(|variable| variable.value.is_some()) {
        for rule in &variable.declared.rules {
            checker.rule(variable, *rule, Pass::WithValues, &mut phases.resolve);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    WithoutValues,
    WithValues,
}

struct Checker<'a, 'm> {
    reader: &'a Reader<'a>,
    by_name: HashMap<&'a str, &'a Working<'m>>,
    locals: HashSet<&'a str>,
    functions: &'static FunctionSet,
    logic: LogicRule,
}

impl<'a, 'm> Checker<'a, 'm> {
    fn new(reader: &'a Reader<'a>, list: &'a [Working<'m>]) -> Self {
        let by_name = list.iter().map(|variable| (variable.declared.name, variable)).collect();
        let elements = &reader.inputs.module.elements;
        let locals = elements.iter().filter_map(|element| element.address.0.strip_prefix("local.")).collect();
        let dialect = reader.inputs.dialect;
        let short = dialect.has(Rule::LogicShortCircuits);
        let logic = if short { LogicRule::ShortCircuit } else { LogicRule::BothSides };
        Self { reader, by_name, locals, functions: dialect::functions(dialect), logic }
    }

    // Step 1.

    fn references(&self, rule: RuleAt, out: &mut Diagnostics) {
        let forest = self.reader.inputs.forest;
        for expr in [Some(rule.condition), rule.message].into_iter().flatten() {
            for reference in statics::references(forest, expr) {
                self.reference(&reference, out);
            }
            for call in statics::calls(forest, expr) {
                out.extend(eval::unknown_function(self.functions, &call.name, call.name_span));
            }
        }
    }

    fn reference(&self, reference: &Traversal, out: &mut Diagnostics) {
        let (code, known, kind): (_, &dyn Fn(&str) -> bool, _) = match &*reference.root {
            "var" => (&codes::UNKNOWN_VARIABLE, &|name| self.by_name.contains_key(name), "an input variable"),
            "local" => (&codes::UNKNOWN_LOCAL, &|name| self.locals.contains(name), "a local value"),
            _ => return,
        };
        match reference.attr(0) {
            Some(name) if known(name) => {}
            Some(name) => {
                let detail = format!("No file of the module declares {kind} called {name:?}.");
                out.push(Diagnostic::tool(code, reference.span, detail));
            }
            None => {
                let detail = format!("After `{}` a dot and the name of {kind} have to follow.", reference.root);
                out.push(Diagnostic::tool(&codes::BAD_REFERENCE, reference.span, detail));
            }
        }
    }

    // Steps 2 and 3.

    fn rule(&self, variable: &Working<'_>, rule: RuleAt, pass: Pass, out: &mut Diagnostics) {
        let forest = self.reader.inputs.forest;
        let condition_span = forest.expr_span(rule.condition);
        let address = variable.declared.address;
        let mut found = Diagnostics::new();
        let result = self.evaluate(rule.condition, variable, pass, Own::Plain, &mut found);
        let broken = found.has_errors();
        out.append(found);
        if broken {
            return;
        }
        let result = result.unmarked_deep();
        let wrong = |why: String| Diagnostic::tool(&codes::RULE_RESULT, condition_span, why).about(address);
        let holds = if result.is_null() {
            out.push(wrong("The condition gives null. It has to give true or false.".to_owned()));
            return;
        } else {
            match convert(&result, &Type::Bool) {
                Ok(holds) => holds,
                Err(error) => {
                    out.push(wrong(format!("The condition gives no truth value: {error}.")));
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
    fn failed(&self, variable: &Working<'_>, rule: RuleAt, pass: Pass, out: &mut Diagnostics) {
        let mut said = None;
        if let Some(expr) = rule.message {
            let span = self.reader.inputs.forest.expr_span(expr);
            let mut found = Diagnostics::new();
            let text = self.evaluate(expr, variable, pass, Own::Plain, &mut found);
            match shown(&text, found.has_errors(), span) {
                Ok(text) => {
                    // Whether a secret takes part is seen with the variable's own mark in place.
                    let marked = self.evaluate(expr, variable, pass, Own::Marked, &mut Diagnostics::new());
                    said = Some(if marked.deep_marks().is_sensitive() {
                        "(the rule's message holds a sensitive value and is not shown)".to_owned()
                    } else {
                        text
                    });
                }
                Err(error) => {
                    out.append(found);
                    out.extend(error.map(|error| (*error).about(variable.declared.address)));
                }
            }
        }
        let said = said.unwrap_or_else(|| "(the rule's message cannot be shown)".to_owned());
        let detail = format!("The value of {} breaks a validation rule: {said}", variable.declared.address);
        let at = match pass {
            Pass::WithValues => variable.blamed(),
            Pass::WithoutValues => variable.declared.header,
        };
        out.push(
            Diagnostic::tool(&codes::RULE_FAILED, at, detail)
                .about(variable.declared.address)
                .and("the rule", self.reader.inputs.forest.expr_span(rule.condition)),
        );
    }

    fn evaluate(&self, expr: ExprAt, own: &Working<'_>, pass: Pass, mark: Own, out: &mut Diagnostics) -> Value {
        let inputs = self.reader.inputs;
        let roots = self.roots(expr, own, pass, mark);
        let scope = Scope {
            roots: Some(&roots),
            functions: Some(self.functions),
            files: Some(inputs.files.clone()),
            json: JsonStrings::Templates,
            logic: self.logic,
        };
        eval::evaluate(inputs.forest, expr, &scope, self.reader.budget, out)
    }

    /// The names that the expression uses, so that a rule costs what it uses and not what the module declares.
    fn roots(&self, expr: ExprAt, own: &Working<'_>, pass: Pass, mark: Own) -> Roots {
        let mut roots: Roots = BTreeMap::new();
        let mut variables: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for reference in statics::references(self.reader.inputs.forest, expr) {
            let root: Arc<str> = Arc::from(&*reference.root);
            match (&*root, reference.attr(0)) {
                ("var", Some(name)) => {
                    if let Some(variable) = self.by_name.get(name) {
                        let value = variable.seen_from(own.declared, pass, mark);
                        variables.insert(Arc::from(name), value);
                    }
                }
                ("path", _) => {
                    roots.insert(root, path());
                }
                _ => {
                    roots.insert(root, Value::dynamic());
                }
            }
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

impl Working<'_> {
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
        return wrong("The message cannot be evaluated.");
    }
    let marks = text.deep_marks();
    if marks.is_sensitive() {
        return wrong("The message refers to a sensitive value, so it is not shown.");
    }
    if marks.is_ephemeral() {
        return wrong("The message refers to an ephemeral value, so it is not shown.");
    }
    match convert(text, &Type::String) {
        Ok(value) => match value.as_text() {
            Some(text) => Ok(text.to_owned()),
            None if value.is_null() => wrong("The message is null."),
            None => Err(None),
        },
        Err(_) => wrong("The message is no text."),
    }
}
