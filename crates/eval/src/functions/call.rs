//! Rules that apply to every call: nulls, unknown arguments, marks (expressions.md, sections 3 to 5).

use bytes::Bytes;

use super::{Function, FunctionError, Outcome, Returns, Run};
use crate::doubt::{doubtful, only_doubt};
use crate::{Env, FileAccess, TemplateError, Variation};
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Secrecy};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Value};

/// What a function may use in addition to its arguments.
pub struct CallContext<'c, 'e> {
    pub(crate) env: &'c Env<'e>,
    /// The marks of the arguments that have been removed from them.
    pub(crate) marks: Marks,
}

impl<'e> CallContext<'_, 'e> {
    /// Returns the files of the request, as seen by functions; `None` if no files may be read.
    pub fn files(&self) -> Option<&FileAccess<'e>> {
        self.env.scope.files.as_ref()
    }

    /// Returns whether something is done differently.
    pub fn has(&self, variation: Variation) -> bool {
        self.env.variations().has(variation)
    }

    /// Returns a result that depends on a file, or on where files are, of which the request says nothing.
    pub fn without_file(&self, path: &str, result: Value) -> Value {
        let Some(absent) = self.env.scope.absent else { return result };
        let is_open = self.marks.secrecy() == Secrecy::Open;
        absent.file(if is_open { path } else { "(sensitive value)" }, &result)
    }

    /// Renders `text`, which is one template, with `variables` (a known object or map) as its root names and every
    /// function except `without`. A template of exactly one interpolation keeps its type, as in `templatefile`.
    ///
    /// # Errors
    /// Returns a [`TemplateError`] for a syntax error, a name missing from `variables`, or an evaluation error.
    pub fn render(
        &self,
        name: &str,
        text: Bytes,
        variables: &Value,
        without: &[&str],
    ) -> Result<Value, TemplateError> {
        self.env.render(name, text, variables, without)
    }
}

/// An argument before it is evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Expr(ExprAt),
    /// One element of a list that was expanded into arguments.
    Value(Value),
}

/// Evaluates an expression in the scope of the call.
pub(crate) type EvaluateArgument<'c> = dyn FnMut(ExprAt, &mut Diagnostics) -> Value + 'c;

/// A call whose arguments the function evaluates itself.
pub struct LazyCall<'c, 'e> {
    pub(crate) args: &'c [Argument],
    pub(crate) evaluate: &'c mut EvaluateArgument<'c>,
    pub(crate) env: &'c Env<'e>,
    pub(crate) reported: Diagnostics,
}

impl<'c, 'e> LazyCall<'c, 'e> {
    /// Returns the number of arguments.
    pub fn count(&self) -> usize {
        self.args.len()
    }

    /// Evaluates an argument (0-based) and returns the value with its diagnostics, which are not reported by this
    /// function.
    pub fn evaluate(&mut self, index: usize) -> (Value, Diagnostics) {
        let mut out = Diagnostics::new();
        let value = match self.args.get(index) {
            Some(Argument::Expr(expr)) => (self.evaluate)(*expr, &mut out),
            Some(Argument::Value(value)) => value.clone(),
            None => Value::dynamic(),
        };
        (value, out)
    }

    /// Passes diagnostics on to the evaluation of the call.
    pub fn report(&mut self, found: Diagnostics) {
        self.reported.append(found);
    }

    /// Returns whether an argument is a reference: a root name with steps or indexes, not a literal, call or operation.
    pub fn is_reference(&self, index: usize) -> bool {
        match self.args.get(index) {
            Some(Argument::Expr(expr)) => super::super::references::is_reference(self.env.forest, *expr),
            _ => false,
        }
    }

    /// Returns whether an argument refers to something that is not wholly known. References that fail don't count.
    pub fn refers_to_unknown(&mut self, index: usize) -> bool {
        let Some(Argument::Expr(ExprAt::Native(source, id))) = self.args.get(index) else { return false };
        let references = super::super::references::references(self.env.forest, ExprAt::Native(*source, *id));
        references.iter().any(|reference| {
            let mut out = Diagnostics::new();
            let value = (self.evaluate)(ExprAt::Native(*source, reference.expr), &mut out);
            !out.has_errors() && !value.is_wholly_known()
        })
    }

    /// Returns what functions may use in addition to their arguments.
    pub fn context(&self) -> CallContext<'c, 'e> {
        CallContext { env: self.env, marks: Marks::NONE }
    }
}

/// Calls a function with arguments that have already been counted and converted.
pub(crate) fn call(function: &Function, args: &[Value], env: &Env<'_>) -> Outcome {
    let Run::Values(run) = function.run else {
        return Err(FunctionError::new("this function takes expressions, not values"));
    };
    account::work(4 + args.len() as u64);
    let mut untyped = false;
    for (index, value) in args.iter().enumerate() {
        let Some(param) = function.param(index) else {
            return Err(FunctionError::argument(index, "there are too many arguments"));
        };
        if value.is_null() && !param.allow_null {
            return Err(FunctionError::argument(index, "it must not be null"));
        }
        if value.ty().is_dynamic() && !param.allow_dynamic {
            // Arguments after one of unknown type are not checked.
            untyped = true;
            break;
        }
    }
    let mut marks = Marks::NONE;
    let mut unknown = false;
    let mut doubt = Marks::NONE;
    let mut plain = Vec::with_capacity(args.len());
    for (index, value) in args.iter().enumerate() {
        let Some(param) = function.param(index) else { continue };
        unknown |= !value.is_known() && !param.allow_unknown;
        doubt = doubt.and(value.deep_marks().doubt());
        if param.allow_marked {
            plain.push(value.clone());
        } else if param.allow_doubt {
            marks = marks.and(value.deep_marks().without_doubt());
            plain.push(only_doubt(value));
        } else {
            marks = marks.and(value.deep_marks());
            plain.push(value.unmarked_deep());
        }
    }
    if (untyped || unknown) && env.variations().has(Variation::UnknownsLoseMarks) {
        marks = marks.of_unknown_logic();
    }
    if untyped {
        return Ok(Value::dynamic().with_marks(marks.and(doubt)));
    }
    let ty = match &function.returns {
        Returns::Fixed(ty) => ty.clone(),
        Returns::Rule(rule) => rule(&plain)?,
    };
    let result = if unknown { Value::unknown(ty) } else { run(&plain, &ty, &mut CallContext { env, marks })? };
    let result = if function.never_null { result.refined_not_null() } else { result };
    let traces_doubt = !unknown && function.params.iter().any(|param| param.allow_doubt);
    let result =
        if doubt.is_empty() || traces_doubt || result.deep_marks().is_inexact() { result } else { doubtful(&result) };
    Ok(result.with_marks(marks))
}
