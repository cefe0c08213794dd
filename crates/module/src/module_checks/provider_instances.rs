//! Compares the `for_each` of a provider configuration with that of the resources and module calls that use one of its
//! instances (opentofu.md, section 7.5).

use overfold_dialect::ObjectKind;
use overfold_dialect::words;
use std::collections::BTreeMap;

use crate::module_checks::codes;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::DialectSpec;
use overfold_model::config::{Argument, Block, Module};
use overfold_model::language::provider_refs::{ProviderRefRules, has_instance_key, provider_ref};
use overfold_syntax::{ExprAt, Forest, statics};

/// Warns where both are written alike, if the dialect has instances of provider configurations and the tool has found
/// no error.
pub(super) fn check(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    if !dialect.rules.providers.instance_keys || out.is_refused() {
        return;
    }
    let mut instances: BTreeMap<String, ExprAt> = BTreeMap::new();
    for element in module.elements.iter().filter(|element| element.kind == ObjectKind::Provider) {
        account::work(1);
        instances.extend(element.address.provider_key().zip(for_each(element.block).map(|argument| argument.expr)));
    }
    if instances.is_empty() {
        return;
    }
    let rules = ProviderRefRules::of(dialect);
    for element in &module.elements {
        account::work(1);
        let used: Vec<ExprAt> = match element.kind {
            ObjectKind::Resource => {
                argument(element.block, words::PROVIDER).map(|provider| provider.expr).into_iter().collect()
            }
            ObjectKind::ModuleCall => {
                let map = argument(element.block, words::PROVIDERS);
                let map = map.and_then(|map| statics::static_map(forest, map.expr, &mut Diagnostics::new()));
                map.unwrap_or_default().into_iter().map(|(_, outer)| outer).collect()
            }
            _ => continue,
        };
        let Some(own) = for_each(element.block) else { continue };
        for used in used {
            account::work(8);
            if !has_instance_key(forest, used, rules) {
                continue;
            }
            let found = provider_ref(forest, used, rules, &mut Diagnostics::new());
            let Some(&instances) = found.and_then(|found| instances.get(&*found.to_string())) else { continue };
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
    account::work(block.arguments.len() as u64);
    block.arguments.iter().find(|argument| argument.spec.is_some() && argument.name == name && !argument.broken)
}

fn for_each<'b, 'f>(block: &'b Block<'f>) -> Option<&'b Argument<'f>> {
    argument(block, words::FOR_EACH)
}
