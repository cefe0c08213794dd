//! The argument `provider` of `import` blocks (terraform.md, section 5.11): it is for a target that has no resource block.
//! Beside one, it must be what the resource itself says.

use foldhash::HashMap;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::DialectSpec;
use overfold_dialect::words;
use overfold_model::config::{Argument, Block, Module, ObjectAddr};
use overfold_model::language::addresses::{self, ImportTargets};
use overfold_model::language::provider_refs::{self, ProviderRef, ProviderRefRules};
use overfold_model::language::references::{AddressWords, ResourceMode};
use overfold_syntax::Forest;

/// Checks the blocks, if the tool has found no error.
pub(super) fn check(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    let imports = || {
        let blocks = module.elements.iter().filter(|element| element.block.keyword == words::IMPORT);
        blocks.filter_map(|element| Some((element.block, element.block.usable_argument(words::PROVIDER)?)))
    };
    account::work(module.elements.len() as u64);
    if imports().next().is_none() || out.is_refused() {
        return;
    }
    let resources: HashMap<ObjectAddr<'_>, &Block<'_>> = module
        .elements
        .iter()
        .filter(|element| matches!(element.address, ObjectAddr::Resource { mode: ResourceMode::Managed, .. }))
        .map(|element| (element.address, element.block))
        .collect();
    let rules = ProviderRefRules::for_dialect(dialect);
    let named =
        |argument: &Argument<'_>| provider_refs::provider_ref(forest, argument.expr, rules, &mut Diagnostics::new());
    for (block, provider) in imports().charged(16) {
        let Some(to) = block.usable_argument(words::TO) else { continue };
        let (kinds, reserved) = (ImportTargets::ComputedKeys, AddressWords::for_dialect(dialect));
        let target = addresses::import_to(forest, to.expr, to.range, kinds, reserved, &mut Diagnostics::new());
        let Some(step) = target.filter(|target| target.modules.is_empty()).and_then(|target| target.resource) else {
            continue;
        };
        let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
        let Some(resource) = resources.get(&address) else { continue };
        let own = resource.usable_argument(words::PROVIDER).and_then(named);
        let same = |own: &ProviderRef, other: &ProviderRef| own.name == other.name && own.alias == other.alias;
        if !own.zip(named(provider)).is_some_and(|(own, other)| same(&own, &other)) {
            let detail = format!(
                "The resource block of {address} decides which provider configuration is used, so `provider` can only repeat what it says. Remove the argument, or set it in the resource."
            );
            out.push(Diagnostic::tool(&overfold_model::language::codes::IMPORT_PROVIDER, provider.range, detail));
        }
    }
}
