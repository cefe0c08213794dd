//! What modules tell providers about themselves: blocks `provider_meta` (plan.md, section 21). Their values are in no
//! document; only what is wrong with them shows.

use std::sync::Arc;

use super::bodies::Bodies;
use super::resource::DeclaredResource;
use super::scope::Site;
use super::walk::Walk;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_check::validate::body::{self, Body};
use overfold_check::validate::walker::ModuleNodes;
use overfold_dialect::ObjectKind;
use overfold_load::plan::ResourceMode;
use overfold_model::config::Block;
use overfold_model::schema;
use overfold_value::Value;

/// The blocks of one module whose schema is known, by the address of the provider.
pub(super) type MetaBlocks<'a> = Vec<(Arc<str>, &'a Block<'a>)>;

/// Returns the blocks of a module.
pub(super) fn blocks<'a>(walked: &ModuleNodes<'a>) -> MetaBlocks<'a> {
    let elements = &walked.module.report.module.elements;
    account::work(elements.len() as u64);
    let blocks = elements.iter().filter(|element| element.kind == ObjectKind::Named("provider_meta"));
    let of_provider = blocks.filter_map(|element| {
        let name = element.block.labels.first()?.text;
        let address = walked.module.summary.providers.full_address(name);
        schema::provider_meta(&address)?;
        account::grow(address.len() as u64 + 32);
        Some((Arc::from(address), element.block))
    });
    of_provider.collect()
}

impl<'a> Walk<'_, '_, 'a> {
    /// Evaluates the block for the provider of an instance, as the tool does for each instance that it plans or reads.
    /// Returns whether it is wrong, which is reported.
    pub(super) fn has_wrong_meta(
        &self,
        declared: &DeclaredResource<'a>,
        site: Site<'_>,
        arguments: &Value,
        out: &mut Diagnostics,
    ) -> bool {
        let module = self.instances.list.get(declared.path).map(|instance| instance.module);
        let blocks = module.and_then(|module| self.meta_blocks.get(module)).map_or(&[][..], Vec::as_slice);
        account::work(blocks.len() as u64);
        let block = blocks.iter().find(|(address, _)| *address == declared.provider_name);
        let (Some((address, block)), Some(_)) = (block, &declared.schema) else { return false };
        let is_used = match declared.mode {
            ResourceMode::Managed => true,
            ResourceMode::Data => arguments.is_wholly_known() && !self.is_pending(declared),
            ResourceMode::Ephemeral | ResourceMode::Action | ResourceMode::List => false,
        };
        let Some(schema) = schema::provider_meta(address).filter(|_| is_used) else { return false };
        let body = Body::new(self.report.forest, block, Some(schema));
        let mut evaluate = Bodies { walk: self, site: Site::new(site.path, site.instance), body };
        let mut own = Diagnostics::new();
        body::check(&body, &mut evaluate, &mut own);
        let failed = own.has_errors();
        out.append(own);
        failed
    }
}
