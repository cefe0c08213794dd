//! Compares the `for_each` of a provider configuration with that of the resources and module calls that use one of its
//! instances (opentofu.md, section 7.5).

use std::collections::BTreeMap;

use crate::module_checks::codes;
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::{Behaviour, DialectSpec, ObjectKind, words};
use overfold_model::config::{Argument, Block, Module};
use overfold_model::language::provider_refs::{ProviderRefRules, instance_key, provider_ref};
use overfold_syntax::{ExprAt, Forest, statics};

/// The provider configurations of a module.
#[derive(Default)]
struct Configurations {
    /// What repeats them, if anything does.
    instances: BTreeMap<String, ExprAt>,
    /// All that the module has, and whether they have any content.
    declared: BTreeMap<String, bool>,
}

/// Reports keys of instances that cannot be there, and keys that are missing, and warns where what repeats the provider
/// configuration and what uses it are written alike, if the dialect has instances of provider configurations and the tool
/// has found no error.
pub(super) fn check(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    if !dialect.rules.providers.instance_keys || out.is_refused() {
        return;
    }
    let mut configurations = Configurations::default();
    for element in module.elements.iter().filter(|element| element.kind == ObjectKind::Provider).charged(1) {
        let Some(key) = element.address.provider_key() else { continue };
        let is_filled = element.block.arguments.iter().any(|argument| argument.spec.is_none())
            || !element.block.blocks.is_empty();
        configurations.declared.insert(key.clone(), is_filled);
        configurations.instances.extend(for_each(element.block).map(|argument| (key, argument.expr)));
    }
    let rules = ProviderRefRules::for_dialect(dialect);
    for element in module.elements.iter().charged(1) {
        let used: Vec<ExprAt> = match element.kind {
            ObjectKind::Resource | ObjectKind::Data | ObjectKind::Ephemeral => {
                argument(element.block, words::PROVIDER).map(|provider| provider.expr).into_iter().collect()
            }
            ObjectKind::ModuleCall => {
                let map = argument(element.block, words::PROVIDERS);
                let map = map.and_then(|map| statics::written_map(forest, map.expr));
                map.into_iter().flatten().map(|(_, outer)| outer).collect()
            }
            _ => continue,
        };
        let kind = if element.kind == ObjectKind::ModuleCall { "module" } else { "resource" };
        let own =
            for_each(element.block).filter(|_| matches!(element.kind, ObjectKind::Resource | ObjectKind::ModuleCall));
        for used in used.charged(8) {
            let Some(found) = provider_ref(forest, used, rules, &mut Diagnostics::new()) else { continue };
            let key = instance_key(forest, used, rules);
            let configuration = found.to_string();
            let instances = configurations.instances.get(&configuration).copied();
            let mut wrong = |at: Span, detail: String| {
                let found = Diagnostic::tool(&codes::INSTANCE_KEY, at, detail);
                out.push(found.titled(format!("Invalid {kind} provider configuration")).about(element.address));
            };
            let (instances, own) = match (instances, key, own) {
                (Some(_), None, _) => {
                    let detail = format!(
                        "The provider configuration {configuration} has `for_each`, so a key must say which of its instances is meant."
                    );
                    wrong(found.name_span, detail);
                    continue;
                }
                (None, Some((_, at)), _) => {
                    // What is not declared here has a finding of its own, or comes from the caller.
                    let Some(is_filled) = configurations.declared.get(&configuration) else { continue };
                    let at_name = !is_filled && dialect.has(Behaviour::ProviderKeysOfNothingAtName);
                    let detail = format!(
                        "The provider configuration {configuration} has no `for_each` in this module, so it has no instances with keys."
                    );
                    wrong(if at_name { found.name_span } else { at }, detail);
                    continue;
                }
                (Some(instances), Some(_), Some(own)) => (instances, own),
                _ => continue,
            };
            if statics::references(forest, own.expr).is_empty() || !statics::are_alike(forest, own.expr, instances) {
                continue;
            }
            let detail = format!(
                "The provider configuration has the same `for_each`, so an element that is removed removes the provider instance together with what it is needed to destroy. Let the `for_each` of the provider contain more elements than that of this {}.",
                element.kind.name()
            );
            let found = Diagnostic::tool(&codes::SAME_INSTANCES, forest.expr_span(own.expr), detail);
            let title = format!("Provider configuration for_each matches {}", element.kind.name());
            out.push(found.titled(title).about(element.address));
        }
    }
}

fn argument<'b, 'f>(block: &'b Block<'f>, name: &str) -> Option<&'b Argument<'f>> {
    block
        .arguments
        .iter()
        .charged_at_once(1)
        .find(|argument| argument.spec.is_some() && argument.name == name && !argument.broken)
}

fn for_each<'b, 'f>(block: &'b Block<'f>) -> Option<&'b Argument<'f>> {
    argument(block, words::FOR_EACH)
}
