//! Reports what the tool silently ignores, as notes with origin overfold.

use std::collections::HashSet;

use super::gather::{NamedValues, ValuesByName};
use super::layers::LayerValue;
use super::{DeclaredVariable, Inputs};
use crate::vars::{ValueOrigin, codes};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::ValueSource;
use overfold_value::Hcl1Value;

/// Notes values for names that are not declared.
pub(super) fn undeclared(
    inputs: &Inputs<'_>,
    gathered: &ValuesByName,
    declared: &[DeclaredVariable<'_>],
    out: &mut Diagnostics,
) {
    let known: HashSet<&str> = declared.iter().map(|declared| declared.name).collect();
    for named in gathered.names.iter().filter(|named| !known.contains(named.name.as_str())) {
        let name = &named.name;
        let last = named.options.all().last().or_else(|| named.files.all().last());
        let Some(last) = last else { continue };
        let key = name.split_once('.').filter(|(map, _)| known.contains(map));
        let detail = match key {
            Some((map, key)) => format!(
                "{} sets {name:?}, which does not set the key {key:?} of {map:?}: the value is silently ignored. Write the map as `{map} = {{ {key} = … }}`, which is merged.",
                source(last)
            ),
            None => format!(
                "{} sets {name:?}, but the root module does not declare this variable. The value is silently ignored.",
                source(last)
            ),
        };
        out.push(Diagnostic::ours(&codes::UNDECLARED_IGNORED, last.at, detail));
    }
    for source in inputs.dialect.variables.sources {
        let ValueSource::Environment { prefix, .. } = source else { continue };
        for (full, _) in &inputs.given.env {
            let Some(name) = full.strip_prefix(prefix).filter(|name| !known.contains(name)) else { continue };
            let detail = format!(
                "The environment variable {full:?} sets {name:?}, but the root module does not declare this variable. The value is silently ignored."
            );
            out.push(Diagnostic::ours(&codes::UNDECLARED_IGNORED, None, detail));
        }
    }
}

fn source(given: &LayerValue) -> String {
    match &given.origin {
        ValueOrigin::File(path) | ValueOrigin::VarFile { path, .. } => format!("The file {path:?}"),
        ValueOrigin::Var(index) | ValueOrigin::Value(index) => format!("Option {}", index + 1),
        ValueOrigin::Env(name) => format!("The environment variable {name:?}"),
        ValueOrigin::Default => "The declaration".to_owned(),
    }
}

/// Notes a map in the automatic files that is not merged because the command line also sets the variable.
pub(super) fn hidden_maps(
    inputs: &Inputs<'_>,
    declared: &DeclaredVariable<'_>,
    named: Option<&NamedValues>,
    out: &mut Diagnostics,
) {
    let apart =
        inputs.dialect.variables.sources.iter().any(|s| matches!(s, ValueSource::Files { unless_options: true, .. }));
    let Some(named) = named.filter(|_| apart) else { return };
    let (Some(Hcl1Value::Map(_)), Some(last)) = (named.options.value(), named.options.all().last()) else { return };
    let Some(hidden) = named.files.parts().last().filter(|part| matches!(part.value, Hcl1Value::Map(_))) else {
        return;
    };
    let detail = format!(
        "{} sets {}, so the map from the automatic definitions files is not merged into it and is lost. The maps from the environment and from the default are still merged.",
        source(last),
        declared.address
    );
    out.push(Diagnostic::ours(&codes::MAP_HIDDEN, hidden.at, detail).about(declared.address));
}
