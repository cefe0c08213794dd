//! Functions of providers, `provider::NAME::FUNCTION`. Only the provider can run them, so a call has an unknown result,
//! unless the provider is built into the tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::functions::FunctionSet;
use overfold_base::account;
use overfold_base::nearest::hint;
use overfold_value::Type;

/// The signature of a function of a provider.
#[derive(Clone, Debug)]
pub struct FunctionSignature {
    /// The parameters, in order.
    pub parameters: Vec<FunctionParameter>,
    /// The parameter of all further arguments, if there may be any.
    pub variadic: Option<FunctionParameter>,
    /// The type of the result.
    pub result: Type,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct FunctionParameter {
    /// The name, for messages.
    pub name: String,
    /// The type to which arguments are converted.
    pub ty: Type,
    /// Whether null may be given.
    pub takes_null: bool,
}

impl FunctionSignature {
    /// Returns the parameter of the argument at a 0-based position; `None` if there may be no such argument.
    pub fn parameter(&self, position: usize) -> Option<&FunctionParameter> {
        self.parameters.get(position).or(self.variadic.as_ref())
    }
}

/// The providers whose functions an expression may call.
#[derive(Clone, Debug, Default)]
pub struct ProviderFunctions {
    /// By local name.
    providers: BTreeMap<Box<str>, Provider>,
}

/// What is known of the functions of a provider.
#[derive(Clone, Debug, Default)]
struct Provider {
    /// Whether it is the one built into the tool.
    builtin: bool,
    /// All its functions by name, each with its signature if that could be read; `None` if nobody has said which it has.
    functions: Option<BTreeMap<Box<str>, Option<Arc<FunctionSignature>>>>,
}

impl ProviderFunctions {
    /// Adds a required provider by its local name. `builtin` means that it is the one built into the tool, whose
    /// functions are known.
    pub fn add(&mut self, name: &str, builtin: bool) {
        account::grow(name.len() as u64 + 64);
        self.providers.insert(Box::from(name), Provider { builtin, functions: None });
    }

    /// Sets which functions a required provider has.
    pub fn describe<'n>(
        &mut self,
        name: &str,
        functions: impl Iterator<Item = (&'n str, Option<Arc<FunctionSignature>>)>,
    ) {
        let Some(provider) = self.providers.get_mut(name) else { return };
        let known = functions.map(|(name, signature)| {
            account::grow(name.len() as u64 + 64);
            (Box::from(name), signature)
        });
        provider.functions = Some(known.collect());
    }

    /// Returns the own name of a function by its whole name, if its provider is the one built into the tool.
    pub(super) fn builtin<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (provider, function) = name.strip_prefix("provider::")?.split_once("::")?;
        self.providers.get(provider).filter(|provider| provider.builtin).map(|_| function)
    }

    /// Returns the signature of a function by its whole name, if it is known.
    pub(super) fn signature(&self, name: &str) -> Option<&FunctionSignature> {
        let parts: Vec<&str> = name.strip_prefix("provider::")?.splitn(3, "::").collect();
        let (provider, function) = (parts.first()?, parts.last()?);
        self.providers.get(*provider)?.functions.as_ref()?.get(*function)?.as_deref()
    }

    /// Whether `name` has the form of a function of one of these providers.
    pub(super) fn may_have(&self, functions: &FunctionSet, name: &str) -> bool {
        let Some(rest) = name.strip_prefix("provider::").filter(|_| functions.has_namespaces()) else { return false };
        account::touch(name.len());
        let mut parts = rest.split("::");
        let provider = parts.next().unwrap_or_default();
        let is_well_formed = match parts.count() {
            1 => true,
            2 => functions.names_configurations(),
            _ => false,
        };
        is_well_formed && self.providers.contains_key(provider)
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
            Some(Provider { functions: Some(known), .. }) if !known.contains_key(function) => {
                let hint = hint(function, known.keys().map(|name| &**name));
                Err(Some(format!("The provider \"{provider}\" has no function \"{function}\".{hint}")))
            }
            Some(Provider { builtin: true, .. })
                if functions.has_builtin_provider() && !functions.is_builtin_provider_function(function) =>
            {
                Err(Some(format!("The built-in provider \"{provider}\" has no function \"{function}\".")))
            }
            Some(_) => Ok(()),
        }
    }
}
