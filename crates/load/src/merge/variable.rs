//! Types and defaults under overrides (terraform.md, sections 7.6 and 10.3.5).
//!
//! The type and the default of a variable replace those of the base one by one, but the `optional()` defaults of the
//! base remain in force. After every override of a variable with a default, whatever the override changed, the current
//! default is converted to the current type; a failure is reported at the header of the override and leaves the
//! default unchanged.

use super::codes;
use super::record::Context;
use overfold_base::diag::{Diagnostic, Quotes, Span};
use overfold_eval::TypeConstraint;
use overfold_model::config::{Hcl1Variable, Payload, Variable, VariableParts};
use overfold_value::convert;

/// The outcome of the last conversion of a default. An override that does not affect it repeats the outcome, so that a
/// long chain of overrides of one variable does not convert a large default repeatedly.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// What is wrong with the default: it does not match its type, or it is null and must not be.
    misfits: Vec<String>,
}

/// The locations at which the types of a variable are declared.
#[derive(Clone, Copy)]
pub(super) struct Types {
    /// The type whose `optional()` defaults are in force.
    pub(super) base: Option<Span>,
    /// The type in the override.
    pub(super) over: Option<Span>,
}

/// Merges the payload of an override block, whose header is `at`, into the payload of the base. `last` is the outcome
/// of the previous override of the same variable.
pub(super) fn merge<'f>(
    base: &mut Payload<'f>,
    over: Payload<'f>,
    at: Span,
    types: Types,
    last: &mut Option<Outcome>,
    cx: &mut Context<'_, '_>,
) {
    match (base, over) {
        (Payload::Variable(base), Payload::Variable(over)) => {
            note_ignored_defaults(base, &over, types, cx);
            variable(base, *over, at, last, cx);
        }
        (Payload::Hcl1Variable(base), Payload::Hcl1Variable(over)) => hcl1_variable(base, *over),
        (base, Payload::Output(constraint)) => *base = Payload::Output(constraint),
        _ => {}
    }
}

/// Notes that the `optional()` defaults in the type of the override are ignored, if they differ from those in force.
fn note_ignored_defaults(base: &Variable<'_>, over: &Variable<'_>, types: Types, cx: &mut Context<'_, '_>) {
    let Some(ignored) = over.constraint() else { return };
    let in_force = base.constraint().and_then(|constraint| constraint.defaults.as_ref());
    let same = match (&ignored.defaults, in_force) {
        (None, None) => true,
        (Some(ignored), Some(in_force)) => ignored.same(in_force),
        _ => false,
    };
    if same {
        return;
    }
    let detail = match (&ignored.defaults, in_force) {
        (None, _) => {
            "This type replaces the original type, but the defaults that the original type sets in `optional()` still apply."
        }
        (Some(_), None) => {
            "This type replaces the original type, but its own defaults in `optional()` are ignored: an attribute that is not set is null."
        }
        (Some(_), Some(_)) => {
            "This type replaces the original type, but its own defaults in `optional()` are ignored: the defaults of the original type still apply."
        }
    };
    let note = Diagnostic::ours(&codes::TYPE_DEFAULTS, types.over, detail).about(cx.address);
    cx.out.push(match types.base {
        Some(base) => note.and("the original type", base),
        None => note,
    });
}

fn variable(
    base: &mut Variable<'_>,
    mut over: Variable<'_>,
    at: Span,
    last: &mut Option<Outcome>,
    cx: &mut Context<'_, '_>,
) {
    let (mut parts, changed) = (base.take_parts(), over.take_parts());
    let touched = changed.constraint.is_some() || changed.default.is_some() || over.nullable.is_some();
    if let Some(constraint) = changed.constraint {
        let defaults = parts.constraint.take().and_then(|earlier| earlier.defaults);
        parts.constraint = Some(TypeConstraint { ty: constraint.ty, defaults });
    }
    parts.default = changed.default.or(parts.default.take());
    base.nullable = over.nullable.or(base.nullable);
    let outcome = match (&parts.default, last.take()) {
        (None, _) => {
            base.set_parts(parts);
            return;
        }
        (_, Some(outcome)) if !touched => outcome,
        _ => finalize(&mut parts, base.nullable),
    };
    base.set_parts(parts);
    for why in &outcome.misfits {
        let detail = format!("With this override, {} has a default that {why}.", cx.address);
        let quotes = Quotes::Variable(cx.address.name().into());
        let found = Diagnostic::tool(&codes::DEFAULT_MISFIT, at, detail).about(cx.address).quoting(quotes);
        cx.out.push(found.with_redacted_detail(format!(
            "With this override, {} has a default that does not match its type.",
            cx.address
        )));
    }
    *last = Some(outcome);
}

/// Replaces the type and the default of the base one by one, a map or list as a whole. They are not checked against
/// each other (variables.md, section B1).
fn hcl1_variable(base: &mut Hcl1Variable, over: Hcl1Variable) {
    base.declared = over.declared.or(base.declared);
    if over.default.is_some() || over.broken {
        base.default = over.default;
        base.broken = over.broken;
    }
}

/// Converts the default to the type and checks it. Both errors are reported for a null that can neither be converted
/// nor be kept (verified against Terraform 1.11.4).
fn finalize(variable: &mut VariableParts, nullable: Option<bool>) -> Outcome {
    let mut misfits = Vec::new();
    let Some(default) = &variable.default else { return Outcome { misfits } };
    if let Some(constraint) = &variable.constraint {
        match convert(default, &constraint.ty) {
            Ok(converted) => variable.default = Some(converted),
            Err(error) => misfits.push(format!("cannot be converted to its type: {error}")),
        }
    }
    let null = variable.default.as_ref().is_some_and(overfold_value::Value::is_null);
    if null && nullable == Some(false) {
        misfits.push("is null, although the variable is not nullable".to_owned());
    }
    Outcome { misfits }
}
