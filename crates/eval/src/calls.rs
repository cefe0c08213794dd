//! Function calls: finding the function; expanding, counting and converting arguments (expressions.md, section 3).

use super::functions::{self, Argument, Function, FunctionError, FunctionSet, Outcome, Run, Unevaluated};
use super::{Evaluator, ProviderFunctions, builtin_provider, codes, error, references, within_limits};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, Span, TextRange};
use overfold_base::nearest::hint;
use overfold_syntax::ExprAt;
use overfold_syntax::tree::{self, Expr, ExprKind, ExprRef, Id, Tree};
use overfold_value::{Marks, Type, Value, convert};

/// A call as written.
struct Site<'t> {
    tree: &'t Tree,
    name: String,
    whole: Span,
    name_range: TextRange,
    open: TextRange,
    close: TextRange,
}

/// An argument and the span at which diagnostics about it point.
struct Given {
    argument: Argument,
    place: Span,
}

/// Returns the tool's diagnostic if neither the language nor one of the `providers` has a function called `name`; `at`
/// is the span of the name. Returns `None` if there is such a function.
pub fn unknown_function(
    functions: &FunctionSet,
    providers: Option<&ProviderFunctions>,
    name: &str,
    at: Span,
) -> Option<Diagnostic> {
    if functions.get(name).is_some() {
        return None;
    }
    let none = ProviderFunctions::default();
    let detail = match providers.unwrap_or(&none).check(functions, name) {
        Ok(()) => return None,
        Err(Some(detail)) => detail,
        Err(None) => {
            let hint = hint(name, functions.names());
            format!("This version has no function named \"{name}\".{hint}")
        }
    };
    Some(error(&codes::UNKNOWN_FUNCTION, at, detail))
}

impl Evaluator<'_, '_> {
    pub(super) fn call(&mut self, tree: &Tree, id: Id<Expr>, out: &mut Diagnostics) -> Value {
        let ExprKind::Call(id) = tree.expr(id).kind else { return Value::dynamic() };
        let tree::Call { name, name_range, args, expand_final, open, close } = *tree.call(id);
        let site = Site {
            tree,
            name: tree.str(name).to_owned(),
            whole: tree.span(name_range.to(close)),
            name_range,
            open,
            close,
        };
        let foreign = self.is_of_provider(&site.name);
        let function = if foreign { None } else { self.function(&site, out) };
        if function.is_none() && !foreign {
            return Value::dynamic();
        }
        let Some(given) = self.arguments(&site, tree.list(args), expand_final, out) else { return Value::dynamic() };
        let Some(function) = function else { return self.provider_call(&site, &given, out) };
        if !check_argument_count(&site, function, &given, out) {
            return Value::dynamic();
        }
        match function.run {
            Run::Unevaluated(run) => {
                let arguments: Vec<Argument> = given.iter().map(|given| given.argument.clone()).collect();
                let env = self.env;
                let mut call = Unevaluated {
                    args: &arguments,
                    evaluate: &mut |expr, out| self.expression(expr, out),
                    env,
                    reported: Diagnostics::new(),
                };
                let outcome = run(&mut call);
                out.append(std::mem::take(&mut call.reported));
                Self::finish(&site, function, &given, outcome, out)
            }
            Run::Values(_) => {
                let mut values = Vec::with_capacity(given.len());
                let ((), verdict) = out.watch(|out| {
                    for (index, given) in given.iter().enumerate() {
                        let value = match &given.argument {
                            Argument::Expr(expr) => self.expression(*expr, out),
                            Argument::Value(value) => value.clone(),
                        };
                        values.push(Self::converted(&site, function, index, value, given.place, out));
                    }
                });
                if verdict.failed() {
                    return Value::dynamic();
                }
                let outcome = functions::call(function, &values, self.env);
                if values.iter().any(|value| value.deep_marks().is_inexact()) {
                    return inexact(&site.name, outcome);
                }
                Self::finish(&site, function, &given, outcome, out)
            }
        }
    }

    fn is_of_provider(&self, name: &str) -> bool {
        let scope = &self.env.scope;
        match (scope.functions, scope.providers) {
            (Some(functions), Some(providers)) => providers.check(functions, name).is_ok(),
            _ => false,
        }
    }

    /// Returns the result of a provider's function, which only the provider can compute. The arguments are evaluated
    /// all the same, and checked against the signature if that is known.
    fn provider_call(&mut self, site: &Site<'_>, given: &[Given], out: &mut Diagnostics) -> Value {
        let signature = self.env.scope.providers.and_then(|providers| providers.signature(&site.name)).cloned();
        if let Some(signature) = &signature {
            let names: Vec<&str> = signature.parameters.iter().map(|parameter| &*parameter.name).collect();
            let counted = Counted { names: &names, is_variadic: signature.variadic.is_some() };
            if !counted.check(site, given, out) {
                return Value::dynamic();
            }
        }
        let mut marks = Marks::NONE;
        let mut all_known = true;
        let mut first = None;
        let ((), verdict) = out.watch(|out| {
            for (index, given) in given.iter().enumerate() {
                let value = match &given.argument {
                    Argument::Expr(expr) => self.expression(*expr, out),
                    Argument::Value(value) => value.clone(),
                };
                marks = marks.and(value.deep_marks());
                all_known &= value.is_wholly_known();
                first.get_or_insert_with(|| value.clone());
                let Some(parameter) = signature.as_ref().and_then(|signature| signature.parameter(index)) else {
                    continue;
                };
                let why = match convert(&value, &parameter.ty) {
                    Ok(value) if value.is_null() && !parameter.takes_null => "it must not be null".to_owned(),
                    Ok(_) => continue,
                    Err(problem) => problem.to_string(),
                };
                let detail = format!("{} does not accept this value for \"{}\": {why}.", site.name, parameter.name);
                out.push(error(&codes::INVALID_ARGUMENT, given.place, detail).within(site.whole));
            }
        });
        if verdict.failed() {
            return Value::dynamic();
        }
        let own_name = self.env.scope.providers.and_then(|providers| providers.builtin(&site.name));
        if let (Some(own_name), Some(argument)) = (own_name, first.filter(|_| !marks.is_inexact()))
            && let Some(outcome) = builtin_provider::call(self.env, own_name, &argument.unmarked_deep())
        {
            return Self::provided(site, outcome, out).with_marks(marks);
        }
        let result = signature.map_or(Type::Dynamic, |signature| signature.result);
        let unknown = Value::unknown(result).with_marks(marks);
        match self.env.scope.absent {
            // The tool does not call a function with an argument that it does not know either.
            Some(absent) if all_known => absent.function(&site.name, &unknown),
            _ => unknown,
        }
    }

    /// Returns the result of a function of a provider, and reports its failure.
    fn provided(site: &Site<'_>, outcome: Outcome, out: &mut Diagnostics) -> Value {
        match outcome {
            Ok(value) => within_limits(value),
            Err(problem) => {
                let place = site.tree.span(site.name_range.to(site.open));
                let detail = format!("{} failed: {}.", site.name, problem.message);
                out.push(error(&codes::CALL_FAILED, place, detail).within(site.whole));
                Value::dynamic()
            }
        }
    }

    fn function(&self, site: &Site<'_>, out: &mut Diagnostics) -> Option<&'static Function> {
        let Some(functions) = self.env.scope.functions else {
            let detail =
                "The value must be a constant here, so function calls are not allowed. Write the result itself.";
            out.push(error(&codes::FUNCTIONS_NOT_ALLOWED, site.whole, detail));
            return None;
        };
        let found = functions.get(&site.name);
        if found.is_none() {
            let unknown =
                unknown_function(functions, self.env.scope.providers, &site.name, site.tree.span(site.name_range));
            out.extend(unknown.map(|unknown| unknown.within(site.whole)));
        }
        found
    }

    /// Evaluates the arguments, expanding the last one if the call says so. Returns `None` if the result of the call is
    /// unknown.
    fn arguments(
        &mut self,
        site: &Site<'_>,
        args: &[ExprRef],
        expand_final: bool,
        out: &mut Diagnostics,
    ) -> Option<Vec<Given>> {
        let tree = site.tree;
        let plain = |id: &ExprRef| Given {
            argument: Argument::Expr(ExprAt::Native(tree.source, *id)),
            place: tree.span(references::start_range(tree, *id)),
        };
        let (last, fixed) = match args.split_last() {
            Some((last, fixed)) if expand_final => (*last, fixed),
            _ => return Some(args.iter().map(plain).collect()),
        };
        let (spread, verdict) = out.watch(|out| self.child(tree, last, out));
        if verdict.failed() {
            return None;
        }
        let place = tree.span(tree.expr(last).range);
        let sequence = matches!(spread.ty(), Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_));
        if !sequence || spread.is_null() {
            let detail = if sequence {
                "Only a list, tuple or set can be expanded into arguments with `...`, but this value is null."
                    .to_owned()
            } else {
                let what = convert::with_article(spread.ty());
                format!("Only a list, tuple or set can be expanded into arguments with `...`, but this is {what}.")
            };
            out.push(error(&codes::INVALID_EXPANSION, place, detail).within(site.whole));
            return None;
        }
        if !spread.is_known() {
            return None;
        }
        let items = spread.items().unwrap_or_default();
        account::work(items.len() as u64 * 2);
        let marks = spread.marks();
        let mut given: Vec<Given> = fixed.iter().map(plain).collect();
        given.extend(
            items.iter().map(|item| Given { argument: Argument::Value(item.clone().with_marks(marks)), place }),
        );
        Some(given)
    }

    fn converted(
        site: &Site<'_>,
        function: &Function,
        index: usize,
        value: Value,
        place: Span,
        out: &mut Diagnostics,
    ) -> Value {
        let Some(param) = function.param(index) else { return value };
        if param.ty.is_dynamic() {
            return value;
        }
        match convert(&value, &param.ty) {
            Ok(value) => value,
            // The value may have other parts than those that are known.
            Err(_) if value.deep_marks().is_inexact() => Value::dynamic().with_marks(Marks::INEXACT),
            Err(problem) => {
                let detail = format!("{} does not accept this value for \"{}\": {problem}.", site.name, param.name);
                out.push(error(&codes::INVALID_ARGUMENT, place, detail).within(site.whole));
                Value::dynamic()
            }
        }
    }

    fn finish(
        site: &Site<'_>,
        function: &Function,
        given: &[Given],
        outcome: Outcome,
        out: &mut Diagnostics,
    ) -> Value {
        let FunctionError { argument, message } = match outcome {
            Ok(value) => return within_limits(value),
            Err(problem) => problem,
        };
        let finding = match argument.map(|index| (function.param(index), given.get(index))) {
            Some((Some(param), Some(given))) => {
                let detail = format!("{} does not accept this value for \"{}\": {message}.", site.name, param.name);
                error(&codes::INVALID_ARGUMENT, given.place, detail).within(site.whole)
            }
            Some((Some(param), None)) => {
                let detail = format!("{} needs a value for \"{}\": {message}.", site.name, param.name);
                error(&codes::INVALID_ARGUMENT, site.whole, detail)
            }
            _ => {
                let place = site.tree.span(site.name_range.to(site.open));
                error(&codes::CALL_FAILED, place, format!("{} failed: {message}.", site.name)).within(site.whole)
            }
        };
        out.push(finding);
        Value::dynamic()
    }
}

/// Returns the result of a call with arguments that may not be what they seem, because something was not given: whatever
/// is computed from an object of which only some attributes are known may be something else. An error may be none.
fn inexact(name: &str, outcome: Outcome) -> Value {
    /// The functions that return one of their arguments, or a part of one.
    const CHOOSING: &[&str] = &["coalesce", "element", "lookup", "one"];
    match outcome {
        Ok(value) if value.marks().is_open() && !CHOOSING.contains(&name) => {
            within_limits(value.unmarked().with_marks(value.marks().without(Marks::OPEN).and(Marks::INEXACT)))
        }
        Ok(value) => within_limits(value),
        Err(_) => Value::dynamic().with_marks(Marks::INEXACT),
    }
}

/// Returns whether the number of arguments is right, and reports it if not.
fn check_argument_count(site: &Site<'_>, function: &Function, given: &[Given], out: &mut Diagnostics) -> bool {
    let names: Vec<&str> = function.params.iter().map(|param| param.name).collect();
    Counted { names: &names, is_variadic: function.variadic.is_some() }.check(site, given, out)
}

/// The arguments that a function takes.
struct Counted<'n> {
    /// The names of the parameters.
    names: &'n [&'n str],
    /// Whether there may be more.
    is_variadic: bool,
}

impl Counted<'_> {
    /// Returns whether the number of arguments is right, and reports it if not.
    fn check(&self, site: &Site<'_>, given: &[Given], out: &mut Diagnostics) -> bool {
        let wanted = self.names.len();
        if let Some(missing) = self.names.get(given.len()) {
            let least = if self.is_variadic { "at least " } else { "" };
            let detail = format!(
                "{} takes {least}{wanted} argument{}; \"{missing}\" is missing.",
                site.name,
                if wanted == 1 { "" } else { "s" },
            );
            out.push(error(&codes::NOT_ENOUGH_ARGUMENTS, site.tree.span(site.close), detail).within(site.whole));
            return false;
        }
        match given.get(wanted) {
            Some(extra) if !self.is_variadic => {
                let detail = match wanted {
                    0 => format!("{} takes no arguments. Remove them.", site.name),
                    1 => format!("{} takes only one argument. Remove the others.", site.name),
                    _ => format!("{} takes only {wanted} arguments. Remove the others.", site.name),
                };
                out.push(error(&codes::TOO_MANY_ARGUMENTS, extra.place, detail).within(site.whole));
                false
            }
            _ => true,
        }
    }
}
