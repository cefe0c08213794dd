//! Checks the constraints of a configuration on the tool's version against the version that is followed.

pub mod codes;

use overfold_base::diag::{Code, Diagnostic, Diagnostics, Span};
use overfold_base::versions::{Constraints, Operator, Version};
use overfold_dialect::{AttrKind, DialectSpec};
use overfold_model::config::{DecodedArgument, Module};

/// Checks every constraint of a merged module; in some dialects, only if there are no other errors (terraform.md,
/// section 1.5; opentofu.md, section 2.1).
pub fn check(module: &Module<'_>, dialect: &DialectSpec, out: &mut Diagnostics) {
    let clean = dialect.rules.required_version.checked_when_clean && !out.is_refused();
    if !clean && !dialect.rules.required_version.checked_always {
        return;
    }
    for (text, range) in kept_constraints(module) {
        out.extend(constraint_problems(text, range, &codes::UNSUPPORTED_TOOL_VERSION, dialect));
    }
}

/// Whether a finding is about a constraint that the tool checks once it has loaded the whole tree of modules
/// (validate.md, section 9).
pub fn is_of_tree(finding: &Diagnostic, dialect: &DialectSpec) -> bool {
    let rules = &dialect.rules.required_version;
    let is_constraint =
        [&codes::UNSUPPORTED_TOOL_VERSION, &codes::REQUIRED_VERSION_PRE_RELEASE].contains(&finding.code);
    is_constraint && rules.checked_when_clean && !rules.checked_always
}

/// Returns the constraints that are kept as elements of the module, with the location of each argument.
fn kept_constraints<'m>(module: &'m Module<'_>) -> impl Iterator<Item = (&'m str, Span)> {
    let arguments = module.elements.iter().flat_map(|element| element.block.arguments);
    arguments.filter_map(|argument| match (argument.decoded, argument.spec?.kind) {
        (DecodedArgument::Text(text), AttrKind::RequiredVersion(_)) => Some((text, argument.range)),
        _ => None,
    })
}

/// Returns every constraint of a merged module on the tool's own version, wherever the tool checks it: as written,
/// with the location of the whole argument, in the order in which the tool reads them.
pub fn all_constraints<'m>(module: &'m Module<'_>) -> impl Iterator<Item = (&'m str, Span)> {
    module.own_versions.iter().map(|own| (&*own.text, own.range)).chain(kept_constraints(module))
}

/// Returns what is wrong with a constraint at `range`; `unmet` is the code to use if the followed version does not
/// meet it. A constraint that names a pre-release is not checked further (terraform.md, section 10.2 (1.2.5)); a
/// pre-release of the tool itself is treated as its release.
pub fn constraint_problems(text: &str, range: Span, unmet: &'static Code, dialect: &DialectSpec) -> Vec<Diagnostic> {
    let release = dialect.version.split('-').next().unwrap_or(dialect.version);
    let (Some(version), Some(constraints)) = (Version::parse(release), Constraints::parse(text)) else {
        return Vec::new();
    };
    let tool = dialect.tool;
    if dialect.rules.required_version.is_release && constraints.names_pre_release() {
        let pre_releases = constraints.list.iter().filter(|constraint| constraint.version.is_pre_release());
        let found = pre_releases.map(|_| {
            let detail = format!(
                "The constraint {text:?} contains a pre-release version, which {tool} does not support here. Use only release versions."
            );
            Diagnostic::tool(&codes::REQUIRED_VERSION_PRE_RELEASE, range, detail)
        });
        found.collect()
    } else if constraints.allow(&version) || dialect.rules.required_version.always_met {
        Vec::new()
    } else {
        let detail = format!(
            "The configuration requires a version of {tool} that satisfies {text:?}, but version {release} is followed here. Follow another version, or change the constraint if the configuration works with this one."
        );
        vec![Diagnostic::tool(unmet, range, detail).titled(dialect.title(unmet.id, unmet.title))]
    }
}

/// Returns a constraint that allows a version as well, changed as little as possible: only terms that exclude the version are
/// moved to it. `None` if it allows the version already, or if nothing certain can be said, as with `!=`.
pub fn allowing(text: &str, version: &str) -> Option<String> {
    let release = version.split('-').next()?;
    let wanted = Version::parse(release)?;
    let (major, minor) = (wanted.segments().first()?, wanted.segments().get(1)?);
    if Constraints::parse(text)?.allow(&wanted) {
        return None;
    }
    let term = |term: &str| {
        let constraints = Constraints::parse(term)?;
        let constraint = constraints.list.first()?;
        if constraints.allow(&wanted) {
            return Some(term.to_owned());
        }
        // What was written stays as precise as it was.
        let numbers = term.trim_start_matches(|letter: char| !letter.is_ascii_digit()).split('.').count();
        let of_line =
            |patch: &str| if numbers < 3 { format!("{major}.{minor}") } else { format!("{major}.{minor}.{patch}") };
        let indent: String = term.chars().take_while(char::is_ascii_whitespace).collect();
        let moved = match constraint.operator {
            Operator::Equal if term.trim_start().starts_with('=') => format!("= {release}"),
            Operator::Equal => release.to_owned(),
            Operator::Pessimistic => format!("~> {}", of_line("0")),
            Operator::GreaterOrEqual => format!(">= {}", of_line(release.rsplit('.').next()?)),
            Operator::Less => format!("< {major}.{}{}", minor + 1, if numbers < 3 { "" } else { ".0" }),
            Operator::LessOrEqual => format!("<= {release}"),
            Operator::Greater | Operator::NotEqual => return None,
        };
        Some(indent + &moved)
    };
    overfold_base::account::touch(text.len() * 16);
    let terms: Option<Vec<String>> = text.split(',').map(term).collect();
    let edited = terms?.join(",");
    Constraints::parse(&edited)?.allow(&wanted).then_some(edited)
}

#[cfg(test)]
mod tests {
    use super::allowing;

    #[test]
    fn a_constraint_is_moved_to_a_version() {
        for (text, version, edited) in [
            ("~> 1.3.0", "1.9.8", Some("~> 1.9.0")),
            ("~> 1.5.7", "1.15.9", Some("~> 1.15.0")),
            ("~> 1.5", "1.9.8", None),
            (">= 1.3, < 1.6", "1.9.8", Some(">= 1.3, < 1.10")),
            (">= 1.3.0, < 1.6.0", "1.9.8", Some(">= 1.3.0, < 1.10.0")),
            ("1.5.7", "1.9.8", Some("1.9.8")),
            ("= 1.5.7", "1.16.0-rc2", Some("= 1.16.0")),
            (">= 1.9", "1.5.7", Some(">= 1.5")),
            ("<= 1.5.7", "1.9.8", Some("<= 1.9.8")),
            ("!= 1.9.8", "1.9.8", None),
            (">= 1.2, != 1.9.8", "1.9.8", None),
            ("nonsense", "1.9.8", None),
            ("~> 0.12.0", "1.9.8", Some("~> 1.9.0")),
        ] {
            assert_eq!(allowing(text, version).as_deref(), edited, "{text} for {version}");
        }
    }
}
