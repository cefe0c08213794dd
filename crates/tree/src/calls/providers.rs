//! Checks the provider configurations that a call passes against those that the called module requests, by names and
//! addresses alone.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};

use super::summary::{CallFacts, Summary};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostics, Span};
use overfold_dialect::{AttrKind, DialectSpec, ObjectKind, words};
use overfold_load::loading::Report;
use overfold_model::config::{Argument, Block, Element, Requirement};
use overfold_model::language::provider_refs::{
    PassedProvider, ProviderRefRules, provider_map, provider_ref, split_configuration,
};
use overfold_syntax::{Forest, statics};

/// The namespace of a provider that is required without a source, or not at all.
pub const IMPLIED_NAMESPACE: &str = "hashicorp";

/// The provider that an entry of `required_providers` without a source refers to if it has the name of the tool's own
/// provider. A name without an entry does not refer to it (verified with Terraform 1.11.4).
pub const BUILT_IN: (&str, &str) = ("terraform", "terraform.io/builtin/terraform");

/// The providers of a module, by local name or `NAME.ALIAS`.
#[derive(Default, Debug)]
pub struct Providers {
    /// The host of addresses that name none; empty in dialects without requirements of providers.
    pub registry: &'static str,
    /// The entries of `required_providers`, with their addresses.
    required: BTreeMap<Box<str>, Box<str>>,
    /// The configurations that `configuration_aliases` requests.
    aliases: BTreeSet<Box<str>>,
    /// The provider blocks that are not empty.
    pub configured: BTreeSet<Box<str>>,
    /// The provider blocks that hold at most an alias: an older way to request a configuration.
    empty: BTreeSet<Box<str>>,
    /// The configurations that callers pass, declared or not; in the tool's own namespace that is enough.
    pub passed_in: BTreeSet<Box<str>>,
    /// The configurations that the module passes on without an alias and requires, but does not configure: one entry
    /// each time it passes one on.
    inherited: Vec<Box<str>>,
}

impl Providers {
    /// Returns no providers, for a module whose addresses mean the host `registry` where they name none.
    pub(crate) fn new(registry: &'static str) -> Self {
        Self { registry, ..Self::default() }
    }

    /// Adds an entry of `required_providers`.
    pub(crate) fn require(&mut self, report: &Report<'_>, element: &Element<'_>, entry: &Requirement) {
        let name = element.address.name();
        let address = match &entry.source {
            Some(source) => {
                let namespace = source.namespace.as_deref().unwrap_or(IMPLIED_NAMESPACE);
                match source.host.as_deref().filter(|host| *host != entry.registry) {
                    Some(host) => format!("{host}/{namespace}/{}", source.name),
                    None => format!("{namespace}/{}", source.name),
                }
            }
            None if name == BUILT_IN.0 => BUILT_IN.1.to_owned(),
            None => implied(name),
        };
        self.required.insert(name.into(), address.into());
        let aliases = element.block.argument(words::CONFIGURATION_ALIASES);
        self.aliases.extend(aliases.into_iter().flat_map(|list| aliases_of(report, list)));
    }

    /// Adds a `provider` block.
    pub(crate) fn configure(&mut self, element: &Element<'_>) {
        let Some(key) = element.address.provider_key() else { return };
        let mut arguments = element.block.arguments.iter();
        // An argument that the language reads itself is no content, except for the version.
        let is_content = |argument: &Argument<'_>| argument.spec.is_none() || argument.name == words::VERSION;
        let is_filled = arguments.any(is_content) || !element.block.blocks.is_empty();
        let list = if is_filled { &mut self.configured } else { &mut self.empty };
        list.insert(key.into());
    }

    /// Records which configurations the module has to get from its caller because it passes them on.
    pub(crate) fn record_inherited<'c>(&mut self, calls: impl Iterator<Item = &'c CallFacts>) {
        let is_inherited = |name: &str| self.required.contains_key(name) && !self.configured.contains(name);
        let passed = calls.flat_map(|call| &call.passed).filter(|passed| is_inherited(&passed.outer));
        self.inherited = passed
            .map(|passed| {
                account::grow(passed.outer.len() as u64);
                passed.outer.clone()
            })
            .collect();
    }

    /// Whether the module has provider blocks without content.
    pub fn has_empty(&self) -> bool {
        !self.empty.is_empty()
    }

    /// The address of the provider that a configuration belongs to, without the host if that is the tool's own
    /// registry.
    fn address(&self, configuration: &str) -> String {
        let (name, _) = split_configuration(configuration);
        self.required.get(name).map_or_else(|| implied(name), ToString::to_string)
    }

    /// Returns the full address of the provider that a local name stands for.
    pub fn full_address(&self, name: &str) -> String {
        if name == BUILT_IN.0 && !self.required.contains_key(name) {
            return BUILT_IN.1.to_owned();
        }
        let address = self.address(name);
        if address.scanned(32).split('/').count() < 3 { format!("{}/{address}", self.registry) } else { address }
    }

    /// Returns the local names that `required_providers` declares, with the addresses of their providers.
    pub fn required(&self) -> impl Iterator<Item = (&str, &str)> {
        self.required.iter().map(|(name, address)| (&**name, &**address))
    }

    /// Returns the configurations that `configuration_aliases` requests, as `NAME.ALIAS`.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().map(|alias| &**alias)
    }

    /// Whether callers pass a configuration, or should.
    pub fn is_passed(&self, configuration: &str) -> bool {
        self.aliases.contains(configuration) || self.passed_in.contains(configuration)
    }

    /// Whether there is such a configuration, however it is declared. One without an alias always exists.
    fn has(&self, configuration: &str) -> bool {
        !configuration.contains('.')
            || [&self.aliases, &self.configured, &self.empty, &self.passed_in]
                .iter()
                .any(|names| names.contains(configuration))
    }
}

fn implied(name: &str) -> String {
    format!("{IMPLIED_NAMESPACE}/{}", name.to_lowercase())
}

/// The items of `configuration_aliases`, as `NAME.ALIAS`.
fn aliases_of(report: &Report<'_>, list: &Argument<'_>) -> Vec<Box<str>> {
    let (rules, mut nothing) = (ProviderRefRules::for_dialect(report.dialect), Diagnostics::new());
    let items = statics::written_list(report.forest, list.expr).into_iter().flatten();
    let read = items.filter_map(|item| provider_ref(report.forest, item, rules, &mut nothing));
    read.map(|found| found.to_string().into()).collect()
}

/// A provider configuration that a call passes.
#[derive(Debug)]
pub struct PassedConfiguration {
    /// The name in the called module.
    pub inner: Box<str>,
    /// The name in the calling module.
    pub outer: Box<str>,
}

impl PassedConfiguration {
    /// Reads the configurations that a call passes, in source order.
    pub(crate) fn from_block(forest: &Forest, dialect: &DialectSpec, block: &Block<'_>) -> Vec<Self> {
        let pairs = pairs(forest, dialect, block).into_iter();
        pairs
            .map(|pair| Self { inner: pair.inner.to_string().into(), outer: pair.outer.to_string().into() })
            .collect()
    }
}

fn pairs(forest: &Forest, dialect: &DialectSpec, block: &Block<'_>) -> Vec<PassedProvider> {
    let is_map = |argument: &&Argument<'_>| {
        argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::ProviderMap)) && !argument.broken
    };
    let Some(map) = block.arguments.iter().find(is_map) else { return Vec::new() };
    provider_map(forest, map.expr, ProviderRefRules::for_dialect(dialect), &mut Diagnostics::new())
}

/// Where a call names a configuration: in the called module and in the calling one.
pub(crate) type PassedPlace = (Span, Span);

/// Locates what a call passes, by the name in the called module.
pub(crate) fn places(forest: &Forest, dialect: &DialectSpec, block: &Block<'_>) -> HashMap<String, PassedPlace> {
    let pairs = pairs(forest, dialect, block);
    // Of several, the first one counts.
    let places = pairs.into_iter().charged_at_once(8).rev();
    places.map(|pair| (pair.inner.to_string(), (pair.inner.name_span, pair.outer.name_span))).collect()
}

/// A mistake in the provider configurations of a call.
pub enum ProviderProblem<'a> {
    /// The called module requests it, but it is not passed.
    Missing(&'a str),
    /// The called module passes it on, but neither has it nor gets it from this call.
    NotInherited(&'a str),
    /// It is passed, but the called module configures it.
    Configured(&'a str),
    /// It is passed, but the called module does not declare it. This is an error unless the name refers to a provider
    /// in the tool's own namespace.
    Undeclared {
        /// Its name in the called module.
        name: &'a str,
        /// Whether the tool refuses it.
        is_error: bool,
    },
    /// What is passed as `inner` belongs to another provider, which the called module may require under another name.
    Mismatch {
        /// Its name in the called module.
        inner: &'a str,
        /// The provider that the called module requires under this name.
        asked: String,
        /// The provider that is passed.
        passed: String,
        /// Whether the called module requires that one, too.
        is_known: bool,
    },
    /// What is passed as `inner` does not exist in the calling module. The tool reports this without a position, as the
    /// last check before evaluation.
    NotInCaller {
        /// Its name in the called module.
        inner: &'a str,
        /// Its name in the calling module.
        outer: &'a str,
    },
    /// The called module cannot be repeated.
    NotRepeatable,
}

impl ProviderProblem<'_> {
    /// Whether the tool reports this mistake for the resources that use the configuration, and without a place.
    pub const fn is_without_place(&self) -> bool {
        matches!(self, Self::NotInCaller { .. })
    }

    /// Whether the tool stops at this mistake, before it checks arguments.
    pub const fn is_fatal(&self) -> bool {
        !matches!(self, Self::Undeclared { is_error: false, .. } | Self::NotInCaller { .. } | Self::NotInherited(_))
    }
}

/// Whether the tool knows which providers the local names of the tree stand for. While a called module cannot be loaded it
/// does not, and takes the ones that the names alone imply (validate.md, section 9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalNames {
    /// All modules can be loaded.
    Resolved,
    /// A called module cannot.
    Implied,
}

/// Checks the provider configurations of a call against the module that it calls. `own` is the calling module;
/// `configures` says whether providers are configured in the called module or below it.
pub fn problems<'a>(
    call: &'a CallFacts,
    own: &'a Summary,
    called: &'a Summary,
    configures: bool,
    local_names: LocalNames,
) -> Vec<ProviderProblem<'a>> {
    let providers = &called.providers;
    account::work(1 + (providers.aliases.len() + 4 * call.passed.len()) as u64);
    let mut problems = Vec::new();
    if call.is_repeated && configures {
        problems.push(ProviderProblem::NotRepeatable);
    }
    let passed: HashSet<&str> = call.passed.iter().map(|passed| &*passed.inner).collect();
    for alias in providers.aliases.iter().touched_by(|alias| alias.len()) {
        if !providers.configured.contains(alias) && !passed.contains(&**alias) {
            problems.push(ProviderProblem::Missing(alias));
        }
    }
    for name in providers.inherited.iter().touched_by(|name| name.len()) {
        if !passed.contains(&**name) {
            problems.push(ProviderProblem::NotInherited(name));
        }
    }
    let passed_here = call.passed.iter().touched_by(|passed| passed.inner.len() + passed.outer.len());
    for PassedConfiguration { inner, outer } in passed_here {
        if providers.configured.contains(inner) {
            problems.push(ProviderProblem::Configured(inner));
        }
        let is_resolved = local_names == LocalNames::Resolved;
        let name_of = |configuration: &str| implied(split_configuration(configuration).0);
        let is_asked_for = providers.required.contains_key(inner) || providers.aliases.contains(inner);
        let asked = if is_resolved || is_asked_for { providers.address(inner) } else { name_of(inner) };
        let is_declared = is_asked_for || providers.empty.contains(inner);
        if !is_declared {
            let is_implied = |(namespace, name): (&str, &str)| namespace == IMPLIED_NAMESPACE && !name.contains('/');
            let is_error = !asked.split_once('/').is_some_and(is_implied);
            problems.push(ProviderProblem::Undeclared { name: inner, is_error });
        }
        // If the calling module has a provider of the inner name, the tool takes what is passed for one of that.
        let passed = match own.providers.required.get(inner) {
            Some(source) => source.to_string(),
            None if is_resolved => own.providers.address(outer),
            None => name_of(outer),
        };
        if asked != passed {
            let is_known = providers.required.values().charged_at_once(1).any(|source| **source == *passed);
            problems.push(ProviderProblem::Mismatch { inner, asked, passed, is_known });
        } else if !own.providers.has(outer) {
            problems.push(ProviderProblem::NotInCaller { inner, outer });
        }
    }
    problems
}

/// Returns the provider blocks without content at which the tool reports them in a called module, each with its local
/// name: one for each name. Of several, it is the one whose place sorts first as text, as in the tool.
pub(crate) fn empty_blocks<'r>(report: &'r Report<'_>) -> Vec<(&'r str, &'r Block<'r>)> {
    let mut first: BTreeMap<&str, (String, &Block<'_>)> = BTreeMap::new();
    for element in report.module.elements.iter().filter(|element| element.kind == ObjectKind::Provider).charged(4) {
        let mut providers = Providers::default();
        providers.configure(element);
        let Some(label) = element.block.labels.first().filter(|_| providers.has_empty()) else { continue };
        let header = element.block.header;
        let range = report.forest.sources.range(header);
        let (start, end) = (range.start, range.end);
        let name = report.forest.sources.name(header.source);
        account::touch(name.len());
        let place = format!("{name}:{},{}-{},{}", start.line, start.column, end.line, end.column);
        let entry = first.entry(label.text).or_insert_with(|| (place.clone(), element.block));
        if place < entry.0 {
            *entry = (place, element.block);
        }
    }
    first.into_iter().map(|(name, (_, block))| (name, block)).collect()
}
