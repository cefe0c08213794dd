//! Early evaluation: what the tool evaluates when it loads a module, once every override is in it (opentofu.md,
//! section 6): sources and versions of module calls, the instances of provider configurations, variables that are
//! constant.
//!
//! 1. An expression may refer to variables, locals, `path`, `terraform` and built-in functions (`references`).
//! 2. What it refers to is evaluated first, each thing once ([`crate::scope`], with the policy in `values` and `variables`).
//! 3. A fault is reported at its place and then, at each definition on the way to the argument, that this cannot be computed;
//!    for every argument anew, as the tool does, up to a number (`reports`).
//! 4. The value is judged by what the argument is for (`modules`, `instances`).

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
mod install;
mod instances;
mod modules;
mod references;
mod reports;
mod values;
mod variables;

use std::collections::HashMap;
use std::sync::Arc;

use crate::config::{Argument, Decoded, Element, Module};
use crate::diag::{Diagnostic, Diagnostics, Secrecy, Span};
use crate::dialect::{AttrKind, DialectSpec, StaticUse};
use crate::eval::FileAccess;
use crate::scope::Definitions;
use crate::syntax::Forest;
use crate::vars;
use values::EarlyEvaluation;

/// What early evaluation gives.
#[derive(Clone, Debug, Default)]
pub struct EarlyValues {
    /// Module calls whose source could be evaluated, by address.
    pub modules: HashMap<Box<str>, ResolvedModule>,
    /// Provider configurations whose instances could be, by address: their keys, sorted by bytes.
    pub instances: HashMap<Box<str>, Vec<Arc<str>>>,
}

/// What the source and version of a module call come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedModule {
    /// The source as text; it may be no address.
    pub source: Arc<str>,
    /// The version constraint, where one is given and can be read.
    pub version: Option<Arc<str>>,
    /// How secret the values are that the source may hold.
    pub source_secrecy: Secrecy,
    /// The same for the version.
    pub version_secrecy: Secrecy,
}

/// Everything that early evaluation looks at.
pub struct Inputs<'a> {
    /// The merged module.
    pub module: &'a Module<'a>,
    /// The request's files and the module directory in them.
    pub files: FileAccess<'a>,
    /// What the request gives for variables; `None`: they have their defaults.
    pub given: Option<Given<'a>>,
    /// The table to follow.
    pub dialect: &'static DialectSpec,
    /// Texts and trees.
    pub forest: &'a Forest,
}

/// Values for variables.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Where they come from.
    pub inputs: &'a vars::Inputs<'a>,
    /// What was found there.
    pub gathered: &'a vars::Gathered,
}

/// Evaluates everything that the dialect's rows mark to be evaluated early; nothing in a dialect without such rows. `later` takes
/// what the tool only finds when it installs modules.
pub fn evaluate(inputs: &Inputs<'_>, out: &mut Diagnostics, later: &mut Diagnostics) -> EarlyValues {
    let mut values = EarlyValues::default();
    if inputs.dialect.rules.modules.sources_are_reported {
        values.modules = inputs.module.elements.iter().filter_map(modules::as_written).collect();
    }
    if !has_early_rows(inputs.dialect) {
        return values;
    }
    let definitions = Definitions::of_module(inputs.module);
    let mut evaluation = EarlyEvaluation::new(inputs, &definitions);
    if evaluation.at_install {
        install::judge(&mut evaluation, later);
        return values;
    }
    let mut room = Room { left: SHOWN_BYTES, reported: false };
    for element in &inputs.module.elements {
        let source = argument(element, StaticUse::ModuleSource);
        let version = argument(element, StaticUse::ModuleVersion);
        if (source.is_some() || version.is_some())
            && let Some(module) = evaluation.module(element, source, version, out)
            && room.takes(module.source.len() + module.version.as_ref().map_or(0, |text| text.len()), element, out)
        {
            values.modules.insert(element.address.0.into(), module);
        }
    }
    for element in &inputs.module.elements {
        if let Some(for_each) = argument(element, StaticUse::Instances)
            && let Some(keys) = evaluation.instances(element, for_each, out)
            && room.takes(keys.iter().map(|key| key.len() + 1).sum(), element, out)
        {
            values.instances.insert(element.address.0.into(), keys);
        }
    }
    for element in &inputs.module.elements {
        if flag(element, "const") == Some(true) {
            evaluation.constant_variable(element, out);
        }
    }
    if evaluation.cut() {
        let detail =
            "A problem is reported again for every value that depends on it. The remaining repetitions are omitted.";
        out.push(Diagnostic::ours(&codes::REPEATS_CUT, None, detail));
    }
    values
}

/// Bytes of evaluated texts that an answer shows: a few doubling locals make any number of them.
const SHOWN_BYTES: usize = 8 << 20;

/// What is left of [`SHOWN_BYTES`].
struct Room {
    left: usize,
    /// That something did not fit has been reported.
    reported: bool,
}

impl Room {
    /// Whether so many bytes more are shown. That they are not is reported once.
    fn takes(&mut self, bytes: usize, element: &Element<'_>, out: &mut Diagnostics) -> bool {
        if let Some(left) = self.left.checked_sub(bytes) {
            self.left = left;
            return true;
        }
        if !self.reported {
            self.reported = true;
            let detail = format!(
                "The results of static evaluation exceed the limit shown-bytes of {SHOWN_BYTES} bytes. This result, and further ones that do not fit, are checked but omitted."
            );
            out.push(Diagnostic::ours(&codes::OVER_LIMIT, element.block.header, detail).about(element.address.0));
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

/// A flag of a variable, where it is stated; one that cannot be read counts as false.
fn flag(element: &Element<'_>, name: &str) -> Option<bool> {
    let argument = element.block.arguments.iter().find(|argument| *argument.name == *name)?;
    (element.kind == "variable").then_some(argument.decoded == Decoded::Bool(true))
}

/// The place of something that stands in no file, as the tool prints it for the root module's own call.
const NO_FILE: Span = Span::NOWHERE;
