//! The last steps of loading, which check the merged module (terraform.md, sections 1.5 and 10.2 (1.3)).

use crate::module_checks::{
    codes, import_providers, interpolations, merged, provider_instances, provider_names, test_files,
};
use crate::tool_version;
use overfold_base::account::List;
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Span};
use overfold_dialect::words;
use overfold_dialect::{AddressRule, DialectSpec, Repeat};
use overfold_model::config::{Module, Payload};
use overfold_syntax::{Forest, hcl1};
use overfold_value::{Hcl1Map, Hcl1Value, with_stack};
use std::collections::HashMap;
use std::sync::Arc;

/// Checks the merged module as a whole: features that require an experiment and, if there is no error so far, whether
/// the followed version meets the module's own constraints. `second` are [`overfold_model::config::LoadedElements::duplicates`].
pub(crate) fn check_merged(
    module: &Module<'_>,
    experiments: &[Arc<str>],
    second: Vec<Diagnostic>,
    dialect: &'static DialectSpec,
    forest: &Forest,
    out: &mut Diagnostics,
) {
    duplicates(module, second.into(), out);
    out.enter(Phase::Checking);
    merged::check(module, dialect, forest, out);
    for element in &module.elements {
        let Payload::Variable(variable) = &element.payload else { continue };
        if let Some(needed) = element.block.spec.and_then(|row| row.traits.experiment_for_optional)
            && !experiments.iter().any(|name| **name == *needed)
            && variable.constraint().is_some_and(|constraint| constraint.ty.has_optional())
        {
            let detail = format!(
                "In this version `optional()` is experimental. Enable the experiment {needed} in this module to use it."
            );
            out.push(Diagnostic::tool(&codes::OPTIONAL_EXPERIMENT, element.block.header, detail));
        }
    }
    interpolated_defaults(module, out);
    interpolations::check(module, dialect, forest, out);
    provider_names::compare(module, dialect, forest, out);
    import_providers::check(module, dialect, forest, out);
    provider_instances::check(module, dialect, forest, out);
    test_files::check(module, dialect, forest, out);
    tool_version::check(module, dialect, out);
}

/// Reports interpolations in the final default of a variable with plain values (variables.md, section B1). The tool
/// checks this in the merged module, if every file could be loaded.
fn interpolated_defaults(module: &Module<'_>, out: &mut Diagnostics) {
    for element in &module.elements {
        let Payload::Hcl1Variable(variable) = &element.payload else { continue };
        if !variable.default.as_ref().is_some_and(is_interpolated) {
            continue;
        }
        let name = element.block.labels.first().map_or("", |label| label.text);
        let argument = element.block.argument(words::DEFAULT);
        let at = argument.map_or(element.block.header, |argument| argument.range);
        let detail =
            "The default must be a literal value, because it is not evaluated. Use a local value for the expression.";
        let error = Diagnostic::tool(&codes::PLAIN_INTERPOLATED, at, detail)
            .titled(format!("variable {name:?}: default may not contain interpolations"))
            .about(element.address);
        out.push_in(Phase::Defaults, error);
    }
}

fn is_interpolated(value: &Hcl1Value) -> bool {
    let of_map = |map: &Hcl1Map| {
        map.iter().any(|(key, value)| hcl1::is_interpolated(key) || with_stack(|| is_interpolated(value)))
    };
    match value {
        Hcl1Value::Text(text) => hcl1::is_interpolated(text),
        Hcl1Value::Integer(_) | Hcl1Value::Float(_) | Hcl1Value::Bool(_) => false,
        Hcl1Value::List(items) => items.iter().any(|item| with_stack(|| is_interpolated(item))),
        Hcl1Value::Map(map) => of_map(map),
        Hcl1Value::Bodies(bodies) => bodies.iter().any(of_map),
    }
}

/// Reports second declarations of elements that are arguments. A local value has the location of the override that
/// replaced it, and the tool reports a duplicate at the final location of the declaration that is kept (terraform.md,
/// section 6).
fn duplicates(module: &Module<'_>, duplicates: List<Diagnostic>, out: &mut Diagnostics) {
    if duplicates.is_empty() {
        return;
    }
    let moved: HashMap<Span, Span> = module
        .elements
        .iter()
        .filter(|element| {
            element.block.spec.is_some_and(|row| {
                matches!(row.address, AddressRule::EachArgument { .. }) && matches!(row.repeat, Repeat::Error { .. })
            })
        })
        .filter_map(|element| {
            let argument = element.block.arguments.first()?;
            Some((argument.previous.first()?.range, argument.range))
        })
        .collect();
    for found in duplicates {
        let span = found.span.map(|at| moved.get(&at).copied().unwrap_or(at));
        out.push_in(Phase::Assembly, Diagnostic { span, ..found });
    }
}
