//! The last steps of loading, on the merged module (terraform.md, section 1, step 5, and section 10.2, 1.3).

use std::sync::Arc;

use super::codes;
use super::element::{Module, Payload};
use super::tool_version;
use crate::diag::{Diagnostic, Diagnostics};
use crate::dialect::{Check, DialectSpec};

/// The experiment that `optional()` belonged to.
const OPTIONAL: &str = "module_variable_optional_attrs";

/// Judges the merged module as a whole: features that need an experiment, and, with no error so far, whether the
/// version that is followed meets the module's own constraints.
pub fn settle(module: &Module, experiments: &[Arc<str>], dialect: &'static DialectSpec, out: &mut Diagnostics) {
    if !experiments.iter().any(|name| **name == *OPTIONAL) {
        for element in &module.elements {
            let needed = element.block.spec.is_some_and(|row| row.checks(Check::OptionalNeedsExperiment));
            if let Payload::Variable(variable) = &element.payload
                && needed
                && variable.constraint.as_ref().is_some_and(|constraint| constraint.ty.has_optional())
            {
                let detail = "This version takes optional() only in modules that opt into its experiment.";
                out.push(Diagnostic::tool(&codes::OPTIONAL_EXPERIMENT, element.block.header, detail));
            }
        }
    }
    tool_version::check(module, dialect, out);
}
