//! Compares the names that a merged module uses for providers (terraform.md, section 11).
//!
//! 1. If several entries of `required_providers` have the same source, all but the first are a warning. The tool reads
//!    them in random order; here, source order is used.
//! 2. The first one is a warning if a `provider` block has the local name that the source implies, but the entry does
//!    not.
//! 3. For a resource or data source without `provider`, whose type implies a provider that is required only under
//!    another name, there is a warning for each such entry.
//! 4. A provider configuration that a module call passes on by its bare name is a warning if nothing declares the
//!    name: neither an entry nor a `provider` block with content.
//! 5. A resource or data source without `provider`, whose type implies a provider with an invalid name, is an error.

use crate::module_checks::codes;
use foldhash::{HashMap, HashSet};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words;
use overfold_dialect::{AttrKind, Behaviour, DialectSpec, ObjectKind};
use overfold_model::config::{Block, Element, Module, ObjectAddr, Payload};
use overfold_model::language::provider_refs::{ProviderRefRules, implied_name};
use overfold_model::language::required_providers::ProviderSource;
use overfold_model::language::{names, provider_refs};
use overfold_syntax::Forest;
use std::borrow::Cow;

/// The host and namespace of the provider that is built into the tool, and its name.
const BUILT_IN: (&str, &str, &str) = ("terraform.io", "builtin", "terraform");
/// The namespace of a provider whose source is not given.
const IMPLIED_NAMESPACE: &str = "hashicorp";

/// An entry of `required_providers`.
struct Entry<'a> {
    name: &'a str,
    /// The location of the entry's value.
    value: Span,
}

/// Checks the names, if the dialect does so and the tool has found no error.
pub fn compare(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    if out.is_refused() {
        return;
    }
    if dialect.rules.providers.names_are_compared {
        compare_names(module, dialect, forest, out);
    }
    if dialect.rules.providers.implied_names_are_checked {
        implied_names(module, out);
    }
}

/// Applies rules 1 to 4.
fn compare_names(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    let mut required: HashSet<&str> = HashSet::default();
    let mut by_source: HashMap<String, Vec<Entry<'_>>> = HashMap::default();
    let mut sources: Vec<String> = Vec::new();
    for element in &module.elements {
        let Payload::Requirement(requirement) = &element.payload else { continue };
        let name = element.address.name();
        let source = address(requirement.source.as_ref(), name, requirement.registry);
        required.insert(name);
        let entries = by_source.entry(source.clone()).or_default();
        if entries.is_empty() {
            sources.push(source);
        }
        entries.push(Entry { name, value: requirement.value });
    }
    let mut module_names = Names { required, by_source, configured: HashSet::default(), forest, dialect, out };
    let blocks = module.elements.iter().filter(|element| element.kind == ObjectKind::Provider);
    let blocks: HashSet<&str> = blocks.filter_map(|element| Some(element.block.labels.first()?.text)).collect();
    module_names.entries(&sources, &blocks);
    for element in &module.elements {
        module_names.object(element);
    }
    for element in module.elements.iter().filter(|element| element.kind == ObjectKind::Provider) {
        let aliased = element.block.argument(words::ALIAS).is_some();
        let filled = !element.block.arguments.is_empty() || !element.block.blocks.is_empty();
        if filled && !aliased {
            module_names.configured.extend(element.block.labels.first().map(|label| label.text));
        }
    }
    for element in module.elements.iter().filter(|element| element.kind == ObjectKind::ModuleCall) {
        module_names.passed_on(element);
    }
}

/// Applies rule 5.
fn implied_names(module: &Module<'_>, out: &mut Diagnostics) {
    for element in
        module.elements.iter().filter(|element| matches!(element.kind, ObjectKind::Resource | ObjectKind::Data))
    {
        let Some(name) = implied(element.block) else { continue };
        if let Err(bad) = names::normalize_provider_part(name.touched()) {
            let detail = format!(
                "The type of this block implies a provider with the local name {name:?}, which is not valid: it {}. Set the argument `provider` in this block.",
                bad.reason()
            );
            let found =
                Diagnostic::tool(&overfold_model::language::codes::PROVIDER_LOCAL_NAME, element.block.header, detail);
            out.push(found.about(element.address));
        }
    }
}

/// Returns the local name of the provider that the type of a block without `provider` implies.
fn implied<'b>(block: &'b Block<'b>) -> Option<&'b str> {
    let label = block.labels.first().filter(|_| block.argument(words::PROVIDER).is_none())?;
    Some(implied_name(label.text))
}

struct Names<'a> {
    /// The local names of the entries.
    required: HashSet<&'a str>,
    by_source: HashMap<String, Vec<Entry<'a>>>,
    /// The names of `provider` blocks with content.
    configured: HashSet<&'a str>,
    forest: &'a Forest,
    dialect: &'a DialectSpec,
    out: &'a mut Diagnostics,
}

impl Names<'_> {
    /// Applies rules 1 and 2.
    fn entries(&mut self, sources: &[String], blocks: &HashSet<&str>) {
        for source in sources {
            let Some([first, others @ ..]) = self.by_source.get(source).map(Vec::as_slice) else { continue };
            let implied = source.rsplit_once('/').map_or(&**source, |(_, name)| name);
            if first.name != implied && blocks.contains(implied) && self.is_implied(source, implied) {
                let detail = format!(
                    "The `provider` block {implied:?} configures {source}, but the module requires this provider under the name {:?}. Use the same local name in both places.",
                    first.name
                );
                self.out.push(Diagnostic::tool(&codes::PROVIDER_REQUIRED_TWICE, first.value, detail));
            }
            for other in others {
                let detail = format!(
                    "The module requires the provider {source} under two local names, {:?} and {:?}. Use one name everywhere.",
                    first.name, other.name
                );
                let found = Diagnostic::tool(&codes::PROVIDER_REQUIRED_TWICE, other.value, detail);
                self.out.push(found.and("first required here", first.value));
            }
        }
    }

    /// Whether a local name alone refers to this provider.
    fn is_implied(&self, source: &str, name: &str) -> bool {
        self.registry().is_some_and(|registry| address(None, name, registry) == *source)
    }

    fn registry(&self) -> Option<&'static str> {
        overfold_model::language::required_providers::registry(self.dialect)
    }

    /// Applies rule 3. The data source of a check is a separate element.
    fn object(&mut self, element: &Element<'_>) {
        if matches!(element.kind, ObjectKind::Resource | ObjectKind::Data) {
            self.implied_by(element.block, element.address);
        }
    }

    fn implied_by(&mut self, block: &Block<'_>, object: ObjectAddr<'_>) {
        account::work(4);
        let Some(name) = implied(block) else { return };
        let name = lower(name);
        if self.by_source.is_empty() || self.required.contains(&*name) {
            return;
        }
        let Some(registry) = self.registry() else { return };
        let source = address(None, &name, registry);
        for entry in self.by_source.get(&source).into_iter().flatten().charged(4) {
            let detail = format!(
                "The type of {object} implies the provider {source}, but the module requires it only under the name {:?}. Set `provider = {}` in this block, or require the provider under the name {name:?}.",
                entry.name, entry.name
            );
            let found = Diagnostic::tool(&codes::PROVIDER_REQUIRED_TWICE, block.header, detail).about(object);
            self.out.push(found.and("required here", entry.value));
        }
    }

    /// Applies rule 4.
    fn passed_on(&mut self, element: &Element<'_>) {
        let providers = element
            .block
            .arguments
            .iter()
            .find(|argument| argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::ProviderMap)));
        let Some(providers) = providers else { return };
        let rules = ProviderRefRules::for_dialect(self.dialect);
        for passed in
            provider_refs::provider_map(self.forest, providers.expr, rules, &mut Diagnostics::new()).charged(4)
        {
            let name = passed.outer.name.as_str();
            if passed.outer.alias.is_some() || self.required.contains(name) || self.configured.contains(name) {
                continue;
            }
            let detail = format!(
                "The module does not declare a provider {name:?}, so {IMPLIED_NAMESPACE}/{name} is assumed. Add an entry for it to `required_providers`."
            );
            let mut found = Diagnostic::tool(&codes::PROVIDER_UNDEFINED, passed.outer.name_span, detail);
            if self.dialect.has(Behaviour::UndefinedProviderNamedInTitle) {
                found = found.titled(format!("Provider {name} is undefined"));
            }
            self.out.push(found.about(element.address));
        }
    }
}

fn lower(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { name.into() } else { name.to_lowercase().into() }
}

/// Returns the full address of a provider.
pub(crate) fn address(source: Option<&ProviderSource>, name: &str, registry: &str) -> String {
    match source {
        Some(ProviderSource { host, namespace, name }) => format!(
            "{}/{}/{name}",
            host.as_deref().unwrap_or(registry),
            namespace.as_deref().unwrap_or(IMPLIED_NAMESPACE)
        ),
        None if name == BUILT_IN.2 => format!("{}/{}/{}", BUILT_IN.0, BUILT_IN.1, BUILT_IN.2),
        None => format!("{registry}/{IMPLIED_NAMESPACE}/{}", lower(name)),
    }
}
