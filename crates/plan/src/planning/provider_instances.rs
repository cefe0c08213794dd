//! The instance of a provider configuration that an instance of a resource uses (opentofu.md, section 7.5).

use super::codes;
use super::resource::DeclaredResource;
use super::scope::{Site, settled};
use super::state::InstanceRepetition;
use super::walk::Walk;
use overfold_base::account::{self, ChargedText};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_check::validate::walker::meta_argument;
use overfold_dialect::{Behaviour, words};
use overfold_model::config::ObjectAddr;
use overfold_model::language::provider_refs::{ProviderKey, ProviderRefRules, instance_key, provider_ref};
use overfold_value::{Type, Value, convert};

impl<'a> Walk<'_, '_, 'a> {
    /// Reports that the provider configuration of a resource has no instance with the key that an instance of the resource
    /// names. Returns whether that is so, or the key is wrong.
    pub(super) fn lacks_provider_instance(
        &self,
        declared: &DeclaredResource<'a>,
        (at, repeated): (usize, Option<&InstanceRepetition>),
        out: &mut Diagnostics,
    ) -> bool {
        let (dialect, forest) = (self.report.dialect, self.report.forest);
        if !dialect.rules.providers.instance_keys {
            return false;
        }
        let Some(provider) = meta_argument(declared.block, words::PROVIDER) else { return false };
        let rules = ProviderRefRules::for_dialect(dialect);
        let Some((key, _)) = instance_key(forest, provider.expr, rules) else { return false };
        let found = provider_ref(forest, provider.expr, rules, &mut Diagnostics::new());
        let (Some(found), Some(walked)) = (found, self.walked(declared.path)) else { return false };
        // Written and looked up for each instance of the resource.
        account::copy(2 * (found.name.len() + found.alias.as_deref().map_or(0, str::len)));
        let address = ObjectAddr::Provider { name: &found.name, alias: found.alias.as_deref() }.to_string();
        let Some(keys) = walked.module.report.early.instances.get(&*address) else { return false };
        account::work(8);
        let becomes_text = dialect.has(Behaviour::ProviderKeysBecomeTexts);
        let (text, is_text) = match key {
            ProviderKey::Text(text) => (text.into_owned(), true),
            ProviderKey::Number(digits) => (digits.into_owned(), false),
            ProviderKey::Computed(expr) => {
                let mut own = Diagnostics::new();
                let (value, verdict) =
                    self.evaluate(expr, Site { repeated, ..Site::new(declared.path, at) }, &mut own);
                out.append(own);
                if verdict.failed() {
                    return true;
                }
                let value: Value = settled(&value).unmarked_deep();
                let is_text = matches!(value.ty(), Type::String);
                let Ok(text) = convert(&value, &Type::String) else { return false };
                // What is unknown or null is not judged.
                let Some(text) = text.as_text() else { return false };
                (text.touched().to_owned(), is_text)
            }
        };
        if (is_text || becomes_text) && keys.binary_search_by(|key| (**key).cmp(text.as_str())).is_ok() {
            return false;
        }
        let detail = format!(
            "{} uses the instance of {address} with the key {text:?}, but the `for_each` of the provider configuration has no such element.",
            self.qualified(declared, at, repeated)
        );
        out.push(Diagnostic::tool(&codes::PROVIDER_INSTANCE, None, detail));
        true
    }
}
