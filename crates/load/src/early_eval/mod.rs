//! Early evaluation: what the tool evaluates when it loads a module, after all overrides (opentofu.md, section 6):
//! sources and versions of module calls, the instances of provider configurations, and constant variables.
//!
//! 1. An expression may refer to variables, locals, `path`, `terraform` and built-in functions (`references`).
//! 2. Whatever it refers to is evaluated first, each definition once ([`overfold_model::scope`], with the policy in `values`
//!    and `variables`).
//! 3. A fault is reported at its location, and then at each definition between it and the argument, as impossible to
//!    compute; like the tool, this repeats it for every argument, up to a limit (`reports`).
//! 4. The value is checked for the purpose of the argument (`modules`, `instances`).

pub mod codes;
mod provider_calls;
mod install;
mod instances;
mod modules;
mod passed_values;
mod references;
mod reports;
mod settings;
mod values;
mod variables;

use std::collections::HashMap;
use std::sync::Arc;

use crate::vars;
use overfold_base::diag::{Diagnostic, Diagnostics, Secrecy, Span};
use overfold_dialect::words;
use overfold_dialect::{AttrKind, DialectSpec, ObjectKind, StaticUse};
use overfold_eval::FileAccess;
use overfold_model::config::{Argument, DecodedArgument, Element, Module};
use overfold_model::scope::Definitions;
use overfold_syntax::Forest;
pub use passed_values::{PassedValues, pass};
pub(crate) use settings::check as settings;
use values::EarlyEvaluation;

/// The results of early evaluation.
#[derive(Clone, Debug, Default)]
pub struct EarlyValues {
    /// The module calls whose source could be evaluated, by name.
    pub modules: HashMap<Box<str>, ResolvedModule>,
    /// The keys of the provider configurations whose instances could be evaluated, by address, sorted by bytes.
    pub instances: HashMap<Box<str>, Vec<Arc<str>>>,
    /// The variables whose values were needed, and those that must be constant.
    pub used: Vec<Box<str>>,
    /// What the call passes for them, if another module calls this one.
    pub passed: PassedValues,
    /// What is found in the arguments of backends and encryption, which the tool looks at before it plans.
    pub settings: Diagnostics,
}

/// The evaluated source and version of a module call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedModule {
    /// The source as a string, which need not be a valid address.
    pub source: Arc<str>,
    /// The version constraint, if there is one and it can be read.
    pub version: Option<Arc<str>>,
    /// How secret the values are that the source may contain.
    pub source_secrecy: Secrecy,
    /// How secret the values are that the version may contain.
    pub version_secrecy: Secrecy,
}

/// The inputs of early evaluation.
pub struct Inputs<'a> {
    /// The merged module.
    pub module: &'a Module<'a>,
    /// The files of the request, and the module directory in them.
    pub files: FileAccess<'a>,
    /// The values that the request provides for variables; `None` if they have their defaults.
    pub given: Option<ProvidedValues<'a>>,
    /// What the call of the module passes; `None` for a root module.
    pub passed: Option<&'a PassedValues>,
    /// The time as RFC 3339, if `timestamp` has a value and it is known.
    pub clock: Option<&'a str>,
    /// The table of the dialect.
    pub dialect: &'static DialectSpec,
    /// The source texts and their trees.
    pub forest: &'a Forest,
}

/// The values provided for variables.
#[derive(Clone, Copy)]
pub struct ProvidedValues<'a> {
    /// The sources of the values.
    pub inputs: &'a vars::Inputs<'a>,
    /// The values that were found there.
    pub gathered: &'a vars::ValueSources,
}

/// Evaluates everything that the rows of the dialect mark for early evaluation; without such rows, nothing.
/// Diagnostics that the tool reports only when it installs modules go to `later`.
pub(crate) fn evaluate(inputs: &Inputs<'_>, out: &mut Diagnostics, later: &mut Diagnostics) -> EarlyValues {
    let mut values = EarlyValues::default();
    if inputs.dialect.rules.modules.sources_are_reported {
        values.modules = inputs.module.elements.iter().filter_map(modules::as_written).collect();
    }
    if !has_early_rows(inputs.dialect) {
        return values;
    }
    let definitions = Definitions::from_module(inputs.module);
    let mut evaluation = EarlyEvaluation::new(inputs, &definitions);
    if evaluation.at_install {
        install::check(&mut evaluation, &mut values, later);
        values.used = evaluation.used();
        return values;
    }
    let mut shown_bytes = ShownBytes { left: SHOWN_BYTES, reported: false };
    for element in &inputs.module.elements {
        let source = argument(element, StaticUse::ModuleSource);
        let version = argument(element, StaticUse::ModuleVersion);
        if (source.is_some() || version.is_some())
            && let Some(module) = evaluation.module(element, source, version, out)
            && shown_bytes.take(
                module.source.len() + module.version.as_ref().map_or(0, |text| text.len()),
                element,
                out,
            )
        {
            values.modules.insert(element.address.name().into(), module);
        }
    }
    for element in &inputs.module.elements {
        if let Some(for_each) = argument(element, StaticUse::Instances)
            && let Some(keys) = evaluation.instances(element, for_each, out)
            && shown_bytes.take(keys.iter().map(|key| key.len() + 1).sum(), element, out)
        {
            values.instances.insert(element.address.to_string().into(), keys);
        }
    }
    for element in &inputs.module.elements {
        if flag(element, words::CONST) == Some(true) {
            evaluation.constant_variable(element, out);
        }
    }
    values.used = evaluation.used();
    if evaluation.cut() {
        let detail =
            "A problem is reported again for every value that depends on it. The remaining repetitions are omitted.";
        out.push(Diagnostic::ours(&codes::REPEATS_CUT, None, detail));
    }
    values
}

/// The maximum number of bytes of evaluated strings in an answer: a few locals that double a string can produce any
/// amount.
const SHOWN_BYTES: usize = 8 << 20;

/// The remainder of [`SHOWN_BYTES`].
struct ShownBytes {
    left: usize,
    /// Whether it has been reported that something did not fit.
    reported: bool,
}

impl ShownBytes {
    /// Whether this many more bytes are shown. Reports once that the limit is exceeded.
    fn take(&mut self, bytes: usize, element: &Element<'_>, out: &mut Diagnostics) -> bool {
        if let Some(left) = self.left.checked_sub(bytes) {
            self.left = left;
            return true;
        }
        if !self.reported {
            self.reported = true;
            let detail = format!(
                "The results of static evaluation exceed the limit shown-bytes of {SHOWN_BYTES} bytes. This result, and later ones that do not fit, are checked but omitted from the answer."
            );
            out.push(Diagnostic::ours(&codes::OVER_LIMIT, element.block.header, detail).about(element.address));
        }
        false
    }
}

fn has_early_rows(dialect: &DialectSpec) -> bool {
    dialect.blocks.iter().flat_map(|block| block.attrs).any(|row| matches!(row.kind, AttrKind::Static(_)))
}

fn argument<'b>(element: &'b Element<'b>, wanted: StaticUse) -> Option<&'b Argument<'b>> {
    element.block.arguments.iter().find(|argument| {
        argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::Static(found) if found == wanted))
    })
}

/// Returns a flag of a variable, if it is set; one that cannot be read is treated as false.
fn flag(element: &Element<'_>, name: &str) -> Option<bool> {
    let argument = element.block.argument(name)?;
    (element.kind == ObjectKind::Variable).then_some(argument.decoded == DecodedArgument::Bool(true))
}

/// The location of something that is not in a file, as the tool shows it for the call of the root module.
const NO_FILE: Span = Span::NOWHERE;
