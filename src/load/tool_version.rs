//! The version that the configuration asks of the tool, held against the one that is followed.

use super::element::{Decoded, Module};
use super::leaf_codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::dialect::{AttrKind, DialectSpec, Rule};
use crate::versions::{Constraints, Version};

/// Checks every constraint of a merged module, when nothing else is wrong with it (terraform.md, section 1, step 5).
/// A constraint that names a pre-release is not looked at further (section 10.2, 1.2.5); the tool itself counts as
/// its release.
pub fn check(module: &Module, dialect: &DialectSpec, out: &mut Diagnostics) {
    if out.has_errors() || !dialect.has(Rule::RequiredVersionWhenClean) {
        return;
    }
    let release = dialect.version.split('-').next().unwrap_or(dialect.version);
    let Some(version) = Version::parse(release) else { return };
    for argument in module.elements.iter().flat_map(|element| &element.block.arguments) {
        let is_constraint = argument.spec.is_some_and(|spec| matches!(spec.kind, AttrKind::RequiredVersion(_)));
        let Decoded::Text(text) = &argument.decoded else { continue };
        let Some(constraints) = Constraints::parse(text).filter(|_| is_constraint) else { continue };
        if dialect.has(Rule::RequiredVersionIsRelease) && constraints.names_pre_release() {
            for _ in constraints.list.iter().filter(|constraint| constraint.version.is_pre_release()) {
                let detail = format!(
                    "The constraint {text:?} names a pre-release, which the tool does not support here. Name releases only."
                );
                out.push(Diagnostic::tool(&leaf_codes::REQUIRED_VERSION_PRE_RELEASE, argument.range, detail));
            }
        } else if !constraints.allow(&version) {
            let code = &leaf_codes::UNSUPPORTED_TOOL_VERSION;
            let detail = format!(
                "This configuration asks for a version that fits {text:?}; the version followed here is {release}. Follow \
                 another version, or change the constraint if the configuration works with this one."
            );
            out.push(Diagnostic::tool(code, argument.range, detail).titled(dialect.title(code.id, code.title)));
        }
    }
}
