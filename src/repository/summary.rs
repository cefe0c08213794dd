//! What is kept of a module once its trees are gone: what its callers may give and take, and what it calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::account;
use crate::config::{Argument, Block, Element, Payload};
use crate::diag::{Diagnostics, Origin, Severity};
use crate::dialect::{AttrKind, DialectSpec};
use crate::language::provider_refs::{ProviderRefRules, provider_map, provider_ref};
use crate::language::references::Subject;
use crate::pipeline::Report;
use crate::syntax::{Forest, statics};

use super::call::{self, Call, Target};
use super::outputs;

/// A module as its callers and the modules it calls see it.
#[derive(Default, Debug)]
pub(super) struct Summary {
    /// Its input variables, and whether each needs a value.
    pub(super) variables: BTreeMap<Box<str>, bool>,
    /// Its outputs.
    pub(super) outputs: BTreeSet<Box<str>>,
    /// The providers that it needs and configures.
    pub(super) providers: Providers,
    /// What it calls, in order of declaration.
    pub(super) calls: Vec<CallFacts>,
    /// References to outputs of module calls: the call and the output, both names.
    pub(super) references: BTreeSet<(Box<str>, Box<str>)>,
    /// The tool itself reports an error in it.
    pub(super) refused: bool,
}

/// The providers of a module, by local name or `NAME.ALIAS`.
#[derive(Default, Debug)]
pub(super) struct Providers {
    /// Entries of `required_providers`.
    pub(super) required: BTreeSet<Box<str>>,
    /// What `configuration_aliases` asks for.
    pub(super) aliases: BTreeSet<Box<str>>,
    /// Provider blocks that hold something.
    pub(super) configured: BTreeSet<Box<str>>,
    /// Provider blocks that hold nothing but, perhaps, an alias: an older way to ask for a configuration.
    pub(super) empty: BTreeSet<Box<str>>,
}

/// A call of a module, without places.
#[derive(Debug)]
pub(super) struct CallFacts {
    /// The name of the call.
    pub(super) name: Box<str>,
    /// Where it leads.
    pub(super) target: Target,
    /// What it gives the called module.
    pub(super) given: Given,
    /// It has `count`, `for_each` or `depends_on`.
    pub(super) is_repeated: bool,
    /// The provider configurations that it passes, as the called module names them.
    pub(super) passed: Vec<Box<str>>,
}

/// What a call gives the called module.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// Arguments that stand in the base block: an override's own arguments do not fill in what is required there.
    pub(super) base: BTreeSet<Box<str>>,
    /// Nothing in the call is too much: the tool does not look where an override is merged in.
    pub(super) unchecked: bool,
    /// There are nested blocks, which no module takes.
    pub(super) has_blocks: bool,
    /// An escape block stands in the call; what the tool then takes for given is not known here.
    pub(super) escaped: bool,
}

impl Summary {
    /// Of a module that has been merged and the calls in it.
    pub(super) fn of(report: &Report<'_>, calls: &[Call<'_>]) -> Self {
        let mut summary = Self {
            refused: report
                .diagnostics
                .iter()
                .any(|found| found.severity == Severity::Error && found.origin == Origin::Tool),
            ..Self::default()
        };
        for element in report.merged.elements() {
            account::work(2);
            summary.element(report, element);
        }
        summary.calls = calls.iter().map(|call| facts(report, call)).collect();
        if calls.iter().any(|call| call.target.directory().is_some()) {
            for (_, references) in outputs::expressions(report) {
                summary.references.extend(references.list.iter().filter_map(|reference| match &reference.subject {
                    Some(Subject::Module { name, output: Some(output), .. }) => {
                        Some((name.as_str().into(), output.as_str().into()))
                    }
                    _ => None,
                }));
            }
        }
        summary
    }

    fn element(&mut self, report: &Report<'_>, element: &Element<'_>) {
        let label = || element.block.labels.first().map(|label| Box::from(label.text));
        match (&element.payload, element.kind) {
            (Payload::Variable(variable), _) => {
                self.variables.extend(label().map(|name| (name, !variable.has_default())));
            }
            (Payload::Requirement(_), _) => {
                let name = element.address.0.rsplit('.').next().unwrap_or_default();
                self.providers.required.insert(name.into());
                let aliases = argument(&element.block, "configuration_aliases");
                self.providers.aliases.extend(aliases.into_iter().flat_map(|list| aliases_of(report, list)));
            }
            (_, "output") => self.outputs.extend(label()),
            (_, "provider") => {
                let Some(key) = element.address.0.strip_prefix("provider.") else { return };
                let mut arguments = element.block.arguments.iter();
                let is_filled =
                    arguments.any(|argument| argument.name != "alias") || !element.block.blocks.is_empty();
                let list = if is_filled { &mut self.providers.configured } else { &mut self.providers.empty };
                list.insert(key.into());
            }
            _ => {}
        }
    }
}

/// The items of `configuration_aliases`, as `NAME.ALIAS`.
fn aliases_of(report: &Report<'_>, list: &Argument<'_>) -> Vec<Box<str>> {
    let (rules, mut nothing) = (ProviderRefRules::of(report.dialect), Diagnostics::new());
    let items = statics::static_list(report.forest, list.expr, &mut nothing).unwrap_or_default();
    let read = items.into_iter().filter_map(|item| provider_ref(report.forest, item, rules, &mut nothing));
    read.map(|found| found.to_string().into()).collect()
}

fn facts(report: &Report<'_>, call: &Call<'_>) -> CallFacts {
    let block = call.block;
    let given = Given {
        base: call::inputs(block)
            .filter(|argument| call::stands_in_base(block, argument))
            .map(|argument| argument.name.into())
            .collect(),
        unchecked: !block.overridden.is_empty(),
        has_blocks: call::unknown_blocks(block).next().is_some(),
        escaped: !block.escaped.is_empty(),
    };
    CallFacts {
        name: call.name.into(),
        target: call.target.clone(),
        given,
        is_repeated: call::repetition(block).is_some(),
        passed: passed(report.forest, report.dialect, block).into_iter().map(|(name, _)| name).collect(),
    }
}

/// The provider configurations that a call passes, as the called module names them, and where those names stand.
pub(super) fn passed(
    forest: &Forest,
    dialect: &DialectSpec,
    block: &Block<'_>,
) -> Vec<(Box<str>, crate::diag::Span)> {
    let is_map = |argument: &&Argument<'_>| {
        argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::ProviderMap)) && !argument.broken
    };
    let Some(map) = block.arguments.iter().find(is_map) else { return Vec::new() };
    let pairs = provider_map(forest, map.expr, ProviderRefRules::of(dialect), &mut Diagnostics::new());
    pairs.into_iter().map(|pair| (pair.inner.to_string().into(), pair.inner.name_span)).collect()
}

fn argument<'b, 'f>(block: &'b Block<'f>, name: &str) -> Option<&'b Argument<'f>> {
    block.arguments.iter().find(|argument| argument.name == name)
}
