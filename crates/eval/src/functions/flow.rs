//! Functions that control what is evaluated: `try`, `can`, `templatestring`, `convert`.

use bytes::Bytes;

use super::{
    Argument, CallContext, Function, FunctionError, LazyCall, Lineage, Outcome, Param, Returns, files, param,
};
use crate::doubt::only_doubt;
use crate::type_expr::{TypeRules, type_constraint};
use crate::{TemplateError, Variation};
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Severity};
use overfold_value::{Type, Value, convert};

pub(super) fn rows() -> Vec<Function> {
    vec![
        Function::unevaluated("try", [], run_try).variadic(param("expressions", Type::Dynamic)),
        Function::unevaluated("can", [param("expression", Type::Dynamic)], run_can),
        Function::unevaluated(
            "templatestring",
            [param("template", Type::String), param("vars", Type::Dynamic)],
            run_template,
        )
        .only_of(Lineage::Mainline),
        Function::new(
            "templatestring",
            [param("data", Type::String), param("vars", Type::Dynamic).marked()],
            Returns::Fixed(Type::Dynamic),
            run_any_template,
        )
        .only_of(Lineage::Fork),
        Function::unevaluated("convert", [param("value", Type::Dynamic), param("type", Type::Dynamic)], run_convert),
        Function::new("defaults", [any("input"), any("defaults")], Returns::Fixed(Type::Dynamic), |_, ty, _| {
            Ok(Value::unknown(ty.clone()))
        })
        .may_be_null(),
    ]
}

/// Returns a parameter that accepts anything.
const fn any(name: &'static str) -> Param {
    param(name, Type::Dynamic).null().unknown().dynamic()
}

/// Converts a value to a type written as a type constraint (terraform.md, section 13).
fn run_convert(call: &mut LazyCall<'_, '_>) -> Outcome {
    let Some(Argument::Expr(expr)) = call.args.get(1) else {
        return Err(FunctionError::argument(1, "it must be a type constraint, written out"));
    };
    let mut found = Diagnostics::new();
    let constraint = type_constraint(call.env.forest, *expr, TypeRules::OUTPUT, &mut found);
    let (value, evaluated) = call.evaluate(0);
    found.append(evaluated);
    let failed = found.has_errors();
    call.report(found);
    if failed {
        return Ok(Value::dynamic());
    }
    let marks = value.deep_marks();
    let value = value.unmarked_deep();
    if !value.is_known() {
        return Ok(Value::unknown(constraint.ty.without_optional()).with_marks(marks));
    }
    account::work(value.weight() / 8);
    let converted = match convert(&value, &constraint.ty) {
        Ok(converted) => converted,
        Err(_) if marks.is_inexact() => return Ok(Value::dynamic().with_marks(marks.of_result())),
        Err(error) => return Err(FunctionError::argument(0, error.to_string())),
    };
    let filled = constraint.defaults.map_or(converted.clone(), |defaults| defaults.apply(&converted));
    let whole = convert(&filled, &constraint.ty.without_optional());
    whole.map(|whole| whole.with_marks(marks)).map_err(|error| FunctionError::argument(0, error.to_string()))
}

fn run_try(call: &mut LazyCall<'_, '_>) -> Outcome {
    if call.count() == 0 {
        return Err(FunctionError::new("at least one expression is required"));
    }
    let mut problems = Vec::new();
    let follows = call.env.variations().has(Variation::GuardsFollowReferences);
    for index in 0..call.count() {
        if follows && call.refers_to_unknown(index) {
            return Ok(Value::dynamic());
        }
        let (value, out) = call.evaluate(index);
        if out.has_errors() {
            let errors = out.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
            problems.extend(errors.take(3).map(|diagnostic| diagnostic.summary.to_string()));
            continue;
        }
        // A value with unknown parts may still fail or change its type once they are known.
        // What is in doubt may have unknown parts that do not show.
        let doubt = value.deep_marks().doubt();
        let is_whole = (follows || value.is_wholly_known()) && doubt.is_empty();
        return Ok(if is_whole { value } else { Value::dynamic().with_marks(doubt) });
    }
    problems.truncate(8);
    Err(FunctionError::new(format!("all expressions failed ({})", problems.join("; "))))
}

fn run_can(call: &mut LazyCall<'_, '_>) -> Outcome {
    let follows = call.env.variations().has(Variation::GuardsFollowReferences);
    if follows && call.refers_to_unknown(0) {
        return Ok(Value::unknown(Type::Bool));
    }
    let (value, out) = call.evaluate(0);
    let doubt = value.deep_marks().doubt();
    Ok(if out.has_errors() {
        Value::bool(false)
    } else if !doubt.is_empty() {
        Value::unknown(Type::Bool).with_marks(doubt)
    } else if follows || value.is_wholly_known() {
        Value::bool(true)
    } else {
        Value::unknown(Type::Bool)
    })
}

/// The fork's `templatestring`: any text is a template, even a literal, and the result is whatever the template
/// evaluates to (recorded with module sources).
fn run_any_template(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let (Some(text), Some(variables)) = (args.first().and_then(Value::as_text), args.get(1)) else {
        return Ok(Value::dynamic());
    };
    if variables.marks().is_sensitive() || variables.marks().is_ephemeral() {
        return Err(FunctionError::new("the variables must not be sensitive as a whole"));
    }
    files::check_variables(variables)?;
    account::work(text.len() as u64 / 4);
    let name = "templatestring";
    let text = Bytes::copy_from_slice(text.as_bytes());
    match context.render(name, text, variables, &["templatefile", "templatestring"]) {
        Ok(null) if null.is_null() => Ok(null),
        result => files::rendered(result, name),
    }
}

/// The functions that a template in a value may not call: those that read files, and those that render templates.
const NOT_IN_TEMPLATES: &[&str] = &[
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "templatefile",
    "templatestring",
];

/// `templatestring`: the template must come from elsewhere in the configuration, so a literal or a call is refused
/// (expressions.md, section 10). The result is always text.
fn run_template(call: &mut LazyCall<'_, '_>) -> Outcome {
    let (variables, found) = call.evaluate(1);
    if found.has_errors() {
        call.report(found);
        return Ok(Value::dynamic());
    }
    if variables.is_null() && variables.marks().is_inexact() {
        return Ok(Value::dynamic().with_marks(variables.marks().doubt()));
    }
    if variables.is_null() {
        return Err(FunctionError::argument(1, "it must not be null"));
    }
    // With variables of which nothing is known, the tool does not look at the template.
    if variables.ty().is_dynamic() && !variables.is_known() {
        return Ok(Value::dynamic().with_marks(variables.marks()));
    }
    if !call.is_reference(0) {
        let message = "it must be a reference to a template defined elsewhere, not a literal or a function call";
        return Err(FunctionError::argument(0, message));
    }
    let (template, found) = call.evaluate(0);
    if let Some(problem) = found.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(FunctionError::argument(0, format!("{}: {}", problem.summary, problem.detail)));
    }
    let doubt = template.deep_marks().and(variables.marks()).doubt();
    let marks = template.deep_marks().and(variables.deep_marks()).without_doubt().and(doubt);
    let rendered = match rendered_text(call, &template, &variables) {
        // Nobody knows what the template is, or which variables it has.
        Err(_) if !doubt.is_empty() => Value::unknown_not_null(Type::String),
        rendered => rendered?,
    };
    Ok(rendered.with_marks(marks))
}

/// Renders a template that is a value. Of the variables, those parts are marked that may not be what they seem.
fn rendered_text(call: &LazyCall<'_, '_>, template: &Value, variables: &Value) -> Outcome {
    let unknown = || Value::unknown_not_null(Type::String);
    let template = convert(template, &Type::String).map_err(|_| FunctionError::argument(0, "it must be a string"))?;
    if template.is_null() {
        return Err(FunctionError::argument(0, "it must not be null"));
    }
    let variables = only_doubt(variables);
    let Some(text) = template.as_text().filter(|_| variables.is_known()) else { return Ok(unknown()) };
    files::check_variables(&variables)?;
    let context = call.context();
    account::work(text.len() as u64 / 4);
    let name = "templatestring";
    let result = context.render(name, Bytes::copy_from_slice(text.as_bytes()), &variables, NOT_IN_TEMPLATES);
    if let Err(TemplateError::Syntax(_)) = &result {
        let message = files::rendered(result, name).err().map(|problem| problem.message).unwrap_or_default();
        return Err(FunctionError::argument(0, message));
    }
    let value = files::rendered(result, name)?;
    let marks = value.deep_marks().doubt();
    match convert(&value, &Type::String) {
        Ok(value) if value.is_known() => Ok(value.with_marks(marks)),
        Ok(_) => Ok(unknown().with_marks(marks)),
        Err(_) if !marks.is_empty() => Ok(unknown().with_marks(marks)),
        Err(_) => Err(FunctionError::new("the result of the template is not a string")),
    }
}
