//! Function calls: finding the function; expanding, counting and converting arguments (expressions.md, section 3).

use super::doubt::{cannot_be_primitive, in_question};
use super::functions::{self, Argument, Function, FunctionError, FunctionSet, LazyCall, Outcome, Run};
use super::{Evaluator, ProviderFunctions, Scope, builtin_provider, codes, error, references, within_limits};
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
struct CallArgument {
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
        let call = *tree.call(id);
        let tree::Call { name, name_range, args, expand_final, open, close } = call;
        let site =
            Site { tree, name: tree.str(name).to_owned(), whole: tree.span(call.range()), name_range, open, close };
        let foreign = self.is_of_provider(&site.name);
        let function = if foreign { None } else { self.function(&site, out) };
        if function.is_none() && !foreign {
            return Value::dynamic();
        }
        let given = match self.arguments(&site, tree.list(args), expand_final, out) {
            Ok(given) => given,
            Err(doubt) => return Value::dynamic().with_marks(doubt),
        };
        let Some(function) = function else { return self.provider_call(&site, &given, out) };
        if !check_argument_count(&site, function, &given, out) {
            return Value::dynamic();
        }
        match function.run {
            Run::Lazy(run) => {
                let arguments: Vec<Argument> = given.iter().map(|given| given.argument.clone()).collect();
                let env = self.env;
                let mut call = LazyCall {
                    args: &arguments,
                    evaluate: &mut |expr, out| self.guarded(expr, out),
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
                    return self.in_doubt((&site, function), (&given, &values), outcome, out);
                }
                Self::finish(&site, function, &given, outcome, out)
            }
        }
    }

    fn is_of_provider(&self, name: &str) -> bool {
        let scope = &self.env.scope;
        match (scope.functions, scope.providers) {
            (Some(functions), Some(providers)) => {
                providers.check(functions, name).is_ok()
                    || scope.assumes_functions && providers.may_have(functions, name)
            }
            _ => false,
        }
    }

    /// Returns the result of a provider's function, which only the provider can compute. The arguments are evaluated
    /// all the same, and checked against the signature if that is known.
    fn provider_call(&mut self, site: &Site<'_>, given: &[CallArgument], out: &mut Diagnostics) -> Value {
        let signature = self.env.scope.providers.and_then(|providers| providers.signature(&site.name)).cloned();
        if let Some(signature) = &signature {
            let names: Vec<&str> = signature.parameters.iter().map(|parameter| &*parameter.name).collect();
            let counted = ParameterNames { names: &names, is_variadic: signature.variadic.is_some() };
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
                let Some(parameter) = signature.as_ref().and_then(|signature| signature.parameter(index)) else {
                    first.get_or_insert(value);
                    continue;
                };
                let why = match convert(&value, &parameter.ty) {
                    _ if value.deep_marks().is_inexact() => continue,
                    Ok(value) if value.is_null() && !parameter.takes_null => "it must not be null".to_owned(),
                    Ok(value) => {
                        first.get_or_insert(value);
                        continue;
                    }
                    Err(problem) => problem.to_string(),
                };
                let detail = format!("{} does not accept this value for \"{}\": {why}.", site.name, parameter.name);
                out.push(error(&codes::INVALID_ARGUMENT, given.place, detail).within(site.whole));
            }
        });
        if verdict.failed() {
            return Value::dynamic();
        }
        let Scope { providers, functions, assumes_functions, .. } = self.env.scope;
        let is_there = |providers: &&ProviderFunctions| {
            !assumes_functions || functions.is_some_and(|functions| providers.check(functions, &site.name).is_ok())
        };
        let own_name = providers.filter(is_there).and_then(|providers| providers.builtin(&site.name));
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

    /// Evaluates the arguments, expanding the last one if the call says so.
    ///
    /// # Errors
    /// The marks of the result, if that is unknown.
    fn arguments(
        &mut self,
        site: &Site<'_>,
        args: &[ExprRef],
        expand_final: bool,
        out: &mut Diagnostics,
    ) -> Result<Vec<CallArgument>, Marks> {
        let tree = site.tree;
        let plain = |id: &ExprRef| CallArgument {
            argument: Argument::Expr(ExprAt::Native(tree.source, *id)),
            place: tree.span(references::start_range(tree, *id)),
        };
        let (last, fixed) = match args.split_last() {
            Some((last, fixed)) if expand_final => (*last, fixed),
            _ => return Ok(args.iter().map(plain).collect()),
        };
        let (spread, verdict) = out.watch(|out| self.child(tree, last, out));
        if verdict.failed() || spread.marks().is_inexact() {
            // How many arguments there are is not certain, nor whether there are any.
            return Err(spread.marks().doubt());
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
            return Err(Marks::NONE);
        }
        if !spread.is_known() {
            return Err(Marks::NONE);
        }
        let items = spread.items();
        account::work(items.len() as u64 * 2);
        let marks = spread.marks();
        let mut given: Vec<CallArgument> = fixed.iter().map(plain).collect();
        given.extend(
            items
                .iter()
                .map(|item| CallArgument { argument: Argument::Value(item.clone().with_marks(marks)), place }),
        );
        Ok(given)
    }

    /// Returns the result of a call with arguments that may not be what they seem, because something was not given: whatever
    /// is computed from an object of which only some attributes are known may be something else. An error is none if the
    /// function accepts the arguments once all of that is unknown.
    fn in_doubt(
        &self,
        (site, function): (&Site<'_>, &Function),
        (given, values): (&[CallArgument], &[Value]),
        outcome: Outcome,
        out: &mut Diagnostics,
    ) -> Value {
        /// The functions that return one of their arguments, or a part of one.
        const CHOOSING: &[&str] = &["coalesce", "element", "lookup", "one"];
        /// The functions that accept everything of one kind, whatever its parts are.
        const UNDISCERNING: &[&str] = &["keys", "length", "values", "sensitive", "nonsensitive"];
        match outcome {
            Ok(value) if self.guards > 0 && !UNDISCERNING.contains(&site.name.as_str()) => {
                within_limits(value.with_marks(Marks::INEXACT))
            }
            Ok(value) if value.marks().is_open() && !CHOOSING.contains(&site.name.as_str()) => {
                within_limits(value.unmarked().with_marks(value.marks().of_result()))
            }
            Ok(value) => within_limits(value),
            Err(_) => {
                let unknown: Vec<Value> = values.iter().map(in_question).collect();
                let outcome = functions::call(function, &unknown, self.env);
                if outcome.is_err() {
                    return Self::finish(site, function, given, outcome, out);
                }
                Value::dynamic().with_marks(Marks::INEXACT)
            }
        }
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
            // A set that is not wholly known becomes a list of what the set held, whatever was wanted.
            Ok(value) if !value.is_known() && !value.ty().conforms_to(&param.ty) => {
                let (have, want) = (convert::with_article(value.ty()), convert::with_article(&param.ty));
                let detail = format!(
                    "{} does not accept this value for \"{}\": this must be {want}, but it is {have}.",
                    site.name, param.name
                );
                out.push(error(&codes::INVALID_ARGUMENT, place, detail).within(site.whole));
                Value::dynamic()
            }
            Ok(value) => value,
            // The value may have other parts than those that are known.
            Err(_) if is_in_doubt(&value, &param.ty) => Value::dynamic().with_marks(Marks::INEXACT),
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
        given: &[CallArgument],
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

/// Whether a value may be acceptable as a parameter of this type after all, because something was not given.
fn is_in_doubt(value: &Value, ty: &Type) -> bool {
    if ty.is_primitive() {
        return value.marks().is_inexact() && !cannot_be_primitive(value);
    }
    value.deep_marks().is_inexact()
}

/// Returns whether the number of arguments is right, and reports it if not.
fn check_argument_count(site: &Site<'_>, function: &Function, given: &[CallArgument], out: &mut Diagnostics) -> bool {
    let names: Vec<&str> = function.params.iter().map(|param| param.name).collect();
    ParameterNames { names: &names, is_variadic: function.variadic.is_some() }.check(site, given, out)
}

/// The arguments that a function takes.
struct ParameterNames<'n> {
    /// The names of the parameters.
    names: &'n [&'n str],
    /// Whether there may be more.
    is_variadic: bool,
}

impl ParameterNames<'_> {
    /// Returns whether the number of arguments is right, and reports it if not.
    fn check(&self, site: &Site<'_>, given: &[CallArgument], out: &mut Diagnostics) -> bool {
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
