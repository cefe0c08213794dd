//! Checks the test files against the merged module (terraform.md, section 12): the providers that runs use, and what
//! they expect to fail.

use std::collections::BTreeMap;

use super::provider_names::address;
use crate::module_checks::codes;
use overfold_base::account::{self, ChargedIterator, ChargedText, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words;
use overfold_dialect::{DialectSpec, ObjectKind};
use overfold_model::body::traversal::error;
use overfold_model::config::{Argument, Block, Module, Payload};
use overfold_model::language::provider_refs::{
    PassedProvider, ProviderRefRules, provider_map, provider_ref, split_configuration,
};
use overfold_model::language::references::{AddressWords, Subject, reference};
use overfold_model::language::required_providers;
use overfold_syntax::statics::{self, Traversal, TraversalKey};
use overfold_syntax::{ExprAt, Forest};

/// Checks all test files, if the tool has found no error.
pub(super) fn check(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    if module.tests.is_empty() || out.is_refused() {
        return;
    }
    let Some(registry) = required_providers::registry(dialect) else { return };
    let required = ModuleProviders::from_module(module, dialect, forest, registry);
    for file in &module.tests {
        TestFile { forest, dialect, required: &required, registry, known: BTreeMap::new(), types: BTreeMap::new() }
            .providers(file, out);
    }
    let words = AddressWords::for_dialect(dialect);
    for file in &module.tests {
        for run in runs(file) {
            for item in argument(run, words::EXPECT_FAILURES)
                .and_then(|list| statics::written_list(forest, list.expr))
                .into_iter()
                .flatten()
            {
                expected(forest, item, words, out);
            }
        }
    }
}

fn runs<'b, 'f>(file: &'b Block<'f>) -> impl Iterator<Item = &'b Block<'f>> {
    file.blocks.iter().charged_at_once(1).filter(|block| block.keyword == words::RUN)
}

fn argument<'b, 'f>(block: &'b Block<'f>, name: &str) -> Option<&'b Argument<'f>> {
    account::work(block.arguments.len() as u64);
    block.usable_argument(name)
}

/// Checks one object that a run expects to fail.
fn expected(forest: &Forest, item: ExprAt, words: AddressWords, out: &mut Diagnostics) {
    account::work(8);
    let Some(traversal) = statics::absolute_traversal(forest, item, &mut Diagnostics::new()) else { return };
    let (span, what) = match (&*traversal.root, test_object(&traversal, out)) {
        (words::OUTPUT | words::CHECK, _) | (words::RUN, None) => return,
        (words::RUN, Some(span)) => (span, "a run"),
        _ => match reference(&traversal, words, out) {
            Some(found) => match found.subject {
                Subject::Variable(_) => return,
                Subject::Resource { mode, .. }
                    if mode != overfold_model::language::references::ResourceMode::Action =>
                {
                    return;
                }
                Subject::Resource { .. } => (found.span, "an action"),
                Subject::Module { .. } => (found.span, "a module or its outputs"),
                Subject::Local(_) => (found.span, "a local value"),
                _ => (found.span, "this object"),
            },
            None => return,
        },
    };
    let detail = format!(
        "A test cannot expect a failure of {what}. Only variables, outputs, checks, resources and data sources can fail."
    );
    out.push(Diagnostic::tool(&codes::EXPECTED_FAILURE, span, detail));
}

/// Returns the location of a reference to an object that only test files can refer to. A malformed reference is
/// reported.
fn test_object(traversal: &Traversal<'_>, out: &mut Diagnostics) -> Option<Span> {
    if !matches!(&*traversal.root, words::OUTPUT | words::CHECK | words::RUN) {
        return None;
    }
    let Some(step) = traversal.steps.first() else {
        let detail = "This object cannot be used as a whole. Refer to one of its attributes.";
        error(out, &overfold_model::language::codes::INVALID_REFERENCE, traversal.root_span, detail);
        return None;
    };
    if !matches!(step.key, TraversalKey::Attr(_)) {
        let detail = "The attributes of this object cannot be selected with brackets. Use a dot.";
        error(out, &overfold_model::language::codes::INVALID_REFERENCE, step.span, detail);
        return None;
    }
    Some(traversal.root_span.range().to(step.span.range()).in_source(traversal.root_span.source))
}

/// The providers of the module under test.
struct ModuleProviders<'a> {
    /// The addresses of the required and the configured providers, by local name.
    types: BTreeMap<&'a str, String>,
    /// The keys (`NAME` or `NAME.ALIAS`) of what the module requires or configures, with the local name; one entry for
    /// each declaration.
    keys: List<(String, &'a str)>,
}

impl<'a> ModuleProviders<'a> {
    fn from_module(module: &'a Module<'a>, dialect: &DialectSpec, forest: &Forest, registry: &str) -> Self {
        let (mut types, mut keys) = (BTreeMap::new(), List::new());
        for element in module.elements.iter().charged(1) {
            let Payload::Requirement(entry) = &element.payload else { continue };
            let name = element.address.name();
            types.insert(name, address(entry.source.as_ref(), name, entry.registry));
            keys.push((name.to_owned(), name));
            let aliases = argument(element.block, words::CONFIGURATION_ALIASES);
            let (rules, mut nothing) = (ProviderRefRules::for_dialect(dialect), Diagnostics::new());
            let items = aliases.and_then(|list| statics::written_list(forest, list.expr));
            for item in items.into_iter().flatten() {
                if let Some(found) = provider_ref(forest, item, rules, &mut nothing) {
                    keys.push((found.to_string(), name));
                }
            }
        }
        for element in module.elements.iter().filter(|element| element.kind == ObjectKind::Provider) {
            let Some(label) = element.block.labels.first() else { continue };
            types.entry(label.text).or_insert_with(|| implied(label.text, registry));
            let Some(key) = element.address.provider_key() else { continue };
            keys.push((key, label.text));
        }
        Self { types, keys }
    }
}

/// The address of a provider that is not required.
fn implied(name: &str, registry: &str) -> String {
    // A name of the tool's own provider does not refer to it without an entry.
    let source = overfold_model::language::required_providers::ProviderSource {
        host: None,
        namespace: None,
        name: name.to_lowercase(),
    };
    address(Some(&source), name, registry)
}

/// A test file whose providers get their types from the runs, in order.
struct TestFile<'a> {
    forest: &'a Forest,
    dialect: &'a DialectSpec,
    required: &'a ModuleProviders<'a>,
    registry: &'a str,
    /// The provider blocks of the file, by `NAME` or `NAME.ALIAS`, with their headers.
    known: BTreeMap<String, Span>,
    /// The types that the local names got so far; `None` if it depends on a module that is not looked at.
    types: BTreeMap<String, Option<String>>,
}

impl TestFile<'_> {
    fn providers(mut self, file: &Block<'_>, out: &mut Diagnostics) {
        for block in
            file.blocks.iter().filter(|block| matches!(block.keyword, words::PROVIDER | words::MOCK_PROVIDER))
        {
            let Some(label) = block.labels.first() else { continue };
            let alias = argument(block, words::ALIAS).and_then(|alias| match &alias.decoded {
                overfold_model::config::DecodedArgument::Text(text) => Some(*text),
                _ => None,
            });
            let key = match alias {
                Some(alias) => format!("{}.{alias}", label.text),
                None => label.text.to_owned(),
            };
            account::grow(key.len() as u64);
            self.known.entry(key).or_insert(block.header);
        }
        // The tool gives all names a type before it compares anything but what a run passes.
        let mut by_name = 0;
        for run in runs(file) {
            let passed = self.passed(run);
            let has_module = run.blocks.iter().any(|inner| inner.keyword == words::MODULE);
            if !passed.is_empty() {
                self.run(&passed, has_module, out);
            } else if has_module {
                self.other_module();
            } else {
                by_name += 1;
                for (name, ty) in &self.required.types {
                    if self.is_known(name) {
                        self.types.entry((*name).to_owned()).or_insert_with(|| Some(ty.clone()));
                    }
                }
            }
        }
        for _ in 0..by_name {
            self.compare(out);
        }
    }

    fn passed(&self, run: &Block<'_>) -> Vec<PassedProvider> {
        let Some(map) = argument(run, words::PROVIDERS) else { return Vec::new() };
        provider_map(self.forest, map.expr, ProviderRefRules::for_dialect(self.dialect), &mut Diagnostics::new())
    }

    /// Whether the file has a provider block with this local name.
    fn is_known(&self, name: &str) -> bool {
        let mut from = self.known.range(name.touched().to_owned()..);
        from.next().is_some_and(|(key, _)| split_configuration(key).0 == name)
    }

    /// Gives types to what a run passes, and compares them if the run is one of the module under test.
    fn run(&mut self, passed: &[PassedProvider], has_module: bool, out: &mut Diagnostics) {
        for PassedProvider { inner, outer } in passed.charged(8) {
            let asked = (!has_module).then(|| {
                let required = self.required.types.get(&*inner.name).cloned();
                required.unwrap_or_else(|| implied(&inner.name, self.registry))
            });
            let Some(given) = self.types.get(&outer.name) else {
                if self.is_known(&outer.name) {
                    self.types.insert(outer.name.clone(), asked);
                }
                continue;
            };
            let (Some(asked), Some(given)) = (asked, given) else { continue };
            if asked != *given {
                let detail = format!(
                    "In this file {:?} stands for the provider {given}, as an earlier run determined, but {:?} in the module under test stands for {asked}. Use another local name.",
                    outer.name, inner.name
                );
                out.push(Diagnostic::tool(&codes::TEST_PROVIDER, outer.name_span, detail));
            }
        }
    }

    /// A run of another module gives its own types to the names that have none yet.
    fn other_module(&mut self) {
        for key in self.known.keys().touched_by(|key| key.len()) {
            let (name, _) = split_configuration(key);
            self.types.entry(name.to_owned()).or_insert(None);
        }
    }

    /// Compares the provider blocks of the file with what the module under test requires and configures.
    fn compare(&self, out: &mut Diagnostics) {
        for (key, name) in self.required.keys.iter().touched_by(|(key, _)| key.len()) {
            let (Some(&header), Some(asked)) = (self.known.get(key), self.required.types.get(name)) else { continue };
            let Some(Some(given)) = self.types.get(*name) else { continue };
            if asked != given {
                let detail = format!(
                    "In this file {key:?} stands for the provider {given}, as a run determined, but in the module under test it stands for {asked}. Use another local name."
                );
                out.push(Diagnostic::tool(&codes::TEST_PROVIDER, header, detail));
            }
        }
    }
}
