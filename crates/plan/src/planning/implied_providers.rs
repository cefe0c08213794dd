//! Providers that are used without a provider block, although they need one (plan.md, section 21).

use std::sync::Arc;

use foldhash::HashSet;

use super::codes;
use super::walk::Walk;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_check::validate::body::empty_body;
pub(crate) use overfold_check::validate::nodes::Dependency;
use overfold_check::validate::schemas::Configuration;
use overfold_model::config::ObjectAddr;

/// The providers, by address, that need a block and have none.
pub(super) type FailedProviders = HashSet<Arc<str>>;

impl Walk<'_, '_, '_> {
    /// Looks at the providers that resources use without a block, as if each had an empty one.
    pub(super) fn configure_implied_providers(&mut self) {
        let mut looked_at: HashSet<Arc<str>> = HashSet::default();
        let mut out = Diagnostics::new();
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for node in &walked.nodes {
                account::work(1);
                let ObjectAddr::Resource { .. } = node.address else { continue };
                for dependency in &node.dependencies {
                    account::work(1);
                    let Dependency::Provider(configuration) = dependency else { continue };
                    if configuration.alias.is_some() || !self.instances.is_implied(path, configuration) {
                        continue;
                    }
                    let address = self.address_of_provider(path, configuration);
                    if looked_at.contains(&address) {
                        continue;
                    }
                    account::grow(address.len() as u64 + 64);
                    looked_at.insert(Arc::clone(&address));
                    if let Some(schema) = self.validated.walk.schemas.of_configuration(walked.module, configuration)
                        && empty_body(&schema, &mut out)
                    {
                        let detail = format!(
                            "The provider {address} needs a configuration, but there is no provider block for it in the root module."
                        );
                        out.push(Diagnostic::tool(&codes::PROVIDER_CONFIGURATION, None, detail));
                        self.failed_providers.insert(address);
                    }
                }
            }
        }
        self.take(out, None);
    }

    /// Whether a configuration has no block, and the provider needs one.
    pub(super) fn has_failed_provider(&self, path: usize, configuration: &Configuration) -> bool {
        !self.failed_providers.is_empty()
            && configuration.alias.is_none()
            && self.instances.is_implied(path, configuration)
            && self.failed_providers.contains(&self.address_of_provider(path, configuration))
    }

    fn address_of_provider(&self, path: usize, configuration: &Configuration) -> Arc<str> {
        let walked = self.walked(path);
        account::work(4);
        walked.map_or_else(
            || Arc::from(""),
            |walked| walked.module.summary.providers.full_address(&configuration.name).into(),
        )
    }
}
