//! Functions of providers, `provider::NAME::FUNCTION`. Only the provider can run them, so a call has an unknown result.

use std::collections::BTreeMap;

use super::functions::FunctionSet;
use overfold_base::account;

/// The providers whose functions an expression may call.
#[derive(Clone, Debug, Default)]
pub struct ProviderFunctions {
    /// By local name, whether the provider is the one built into the tool.
    providers: BTreeMap<Box<str>, bool>,
}

impl ProviderFunctions {
    /// Adds a required provider by its local name. `builtin` means that it is the one built into the tool, whose
    /// functions are known.
    pub fn add(&mut self, name: &str, builtin: bool) {
        account::grow(name.len() as u64 + 64);
        self.providers.insert(Box::from(name), builtin);
    }

    /// Checks that `name` is a function of one of these providers.
    ///
    /// # Errors
    /// Fails if it is not; with a sentence that gives the reason if the name has the form of a provider function.
    pub(super) fn check(&self, functions: &FunctionSet, name: &str) -> Result<(), Option<String>> {
        let rest = name.strip_prefix("provider::").filter(|_| functions.has_namespaces()).ok_or(None)?;
        let parts: Vec<&str> = rest.splitn(4, "::").collect();
        let (provider, function) = match *parts.as_slice() {
            [provider, function] => (provider, function),
            [provider, _, function] if functions.names_configurations() => (provider, function),
            _ => return Err(Some("A function of a provider must be called as provider::NAME::FUNCTION.".to_owned())),
        };
        match self.providers.get(provider) {
            None => Err(Some(format!(
                "No entry of `required_providers` declares the provider \"{provider}\". Add one to call its functions."
            ))),
            Some(true) if !functions.is_builtin_provider_function(function) => Err(Some(format!(
                "The provider \"{provider}\" is built into the tool and has no function \"{function}\"."
            ))),
            Some(_) => Ok(()),
        }
    }
}
