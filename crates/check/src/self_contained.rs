//! What the tool finds, beyond loading, in a module that needs nothing installed: types that are not part of the tool.
//!
//! The command that stands for loading stops where a provider or a called module is not installed. Where nothing has to
//! be installed it goes on. Of what it finds then, the types that the built-in provider does not have tell whether a
//! version knows what the module is written with, so they count as found while loading.

use crate::validate::codes;
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::{BuiltinKind, ObjectKind, words};
use overfold_load::loading::Report;
use overfold_model::config::{Element, ObjectAddr};
use overfold_model::language::dependencies::{ActionDependency, depends_on};
use overfold_model::language::provider_refs::{ProviderRefRules, implied_name, provider_ref};
use overfold_model::language::references::{AddressWords, reference};
use overfold_model::schema;
use overfold_tree::calls::Summary;

/// Whether a loaded module needs nothing installed, and has something that may be of a type which is not part of the
/// tool.
pub fn may_lack_types(report: &Report<'_>) -> bool {
    let elements = &report.module.elements;
    elements.iter().charged_at_once(1).any(|element| may_lack(report, element)) && needs_nothing(report)
}

/// Whether this is one of the findings that count as found while loading.
pub fn is_of_types(finding: &Diagnostic) -> bool {
    let codes = [
        &codes::NO_SUCH_TYPE,
        &codes::NO_SUCH_DATA_SOURCE,
        &codes::NO_SUCH_EPHEMERAL,
        &codes::NO_SUCH_ACTION,
        &codes::DEPENDS_ON,
    ];
    codes.contains(&finding.code)
}

/// Whether an object of the built-in provider may be of a type that this does not have, or depends on something that is
/// an attribute of such an object rather than an object of a newer version.
fn may_lack(report: &Report<'_>, element: &Element<'_>) -> bool {
    let ObjectAddr::Resource { type_name, .. } = element.address else { return false };
    let is_part = |kind| {
        let mut names = report.dialect.builtins_of(kind);
        names.any(|name| name.split_once('.').is_some_and(|(_, of_provider)| of_provider == type_name))
    };
    let lacks = match element.kind {
        ObjectKind::Resource => !is_part(BuiltinKind::ResourceType),
        ObjectKind::Data => !is_part(BuiltinKind::DataSource),
        _ => true,
    };
    lacks || {
        let argument = element.block.argument(words::DEPENDS_ON);
        argument.is_some_and(|argument| {
            let words = AddressWords::for_dialect(report.dialect);
            let taken = ActionDependency::Taken;
            let items = depends_on(report.forest, argument.expr, taken, &mut Diagnostics::new());
            items.iter().charged(4).any(|item| {
                let found = reference(&item.traversal, words, &mut Diagnostics::new());
                found.is_some_and(|found| found.remaining > 0)
            })
        })
    }
}

/// Whether everything that a loaded module uses is part of the tool: it calls no modules, and requires no providers but
/// the built-in one.
fn needs_nothing(report: &Report<'_>) -> bool {
    let elements = &report.module.elements;
    if elements.iter().any(|element| element.kind == ObjectKind::ModuleCall) {
        return false;
    }
    let providers = Summary::declared(report, &[], false).providers;
    let is_builtin = |name: &str| providers.full_address(name) == schema::BUILTIN_PROVIDER;
    if !providers.required().all(|(name, _)| is_builtin(name)) {
        return false;
    }
    let rules = ProviderRefRules::for_dialect(report.dialect);
    elements.iter().charged(4).all(|element| match element.address {
        ObjectAddr::Resource { type_name, .. } => {
            let argument = element.block.argument(words::PROVIDER);
            let named = argument
                .and_then(|argument| provider_ref(report.forest, argument.expr, rules, &mut Diagnostics::new()));
            match named {
                Some(named) => is_builtin(&named.name),
                None => is_builtin(implied_name(type_name)),
            }
        }
        _ => match element.kind {
            ObjectKind::Provider => element.block.labels.first().is_some_and(|label| is_builtin(label.text)),
            _ => true,
        },
    })
}
