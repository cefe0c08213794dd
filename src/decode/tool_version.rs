//! The version that the configuration asks of the tool, held against the one that is followed.

use crate::config::{Decoded, Module};
use crate::decode::codes;
use crate::diag::{Code, Diagnostic, Diagnostics, Span};
use crate::dialect::{AttrKind, DialectSpec};
use crate::versions::{Constraints, Version};

/// Checks every constraint of a merged module, in some dialects only when nothing else is wrong with it (terraform.md,
/// section 1.5; opentofu.md, section 2.1).
pub fn check(module: &Module<'_>, dialect: &DialectSpec, out: &mut Diagnostics) {
    let clean = dialect.rules.required_version.checked_when_clean && !out.is_refused();
    if !clean && !dialect.rules.required_version.checked_always {
        return;
    }
    for argument in module.elements.iter().flat_map(|element| &element.block.arguments) {
        let is_constraint = argument.spec.is_some_and(|spec| matches!(spec.kind, AttrKind::RequiredVersion(_)));
        if let Decoded::Text(text) = &argument.decoded
            && is_constraint
        {
            out.extend(judge(text, argument.range, &codes::UNSUPPORTED_TOOL_VERSION, dialect));
        }
    }
}

/// What is to be said of a constraint that stands at `range`; `unmet` is the code for one that the followed version does
/// not meet. A constraint that names a pre-release is not looked at further (terraform.md, section 10.2 (1.2.5)); the
/// tool itself counts as its release.
pub fn judge(text: &str, range: Span, unmet: &'static Code, dialect: &DialectSpec) -> Vec<Diagnostic> {
    let release = dialect.version.split('-').next().unwrap_or(dialect.version);
    let (Some(version), Some(constraints)) = (Version::parse(release), Constraints::parse(text)) else {
        return Vec::new();
    };
    if dialect.rules.required_version.is_release && constraints.names_pre_release() {
        let pre_releases = constraints.list.iter().filter(|constraint| constraint.version.is_pre_release());
        let found = pre_releases.map(|_| {
            let detail = format!(
                "The constraint {text:?} names a pre-release, which the tool does not support here. Name releases only."
            );
            Diagnostic::tool(&codes::REQUIRED_VERSION_PRE_RELEASE, range, detail)
        });
        found.collect()
    } else if constraints.allow(&version) {
        Vec::new()
    } else {
        let detail = format!(
            "This configuration asks for a version that fits {text:?}; the version followed here is {release}. Follow another \
             version, or change the constraint if the configuration works with this one."
        );
        vec![Diagnostic::tool(unmet, range, detail).titled(dialect.title(unmet.id, unmet.title))]
    }
}
