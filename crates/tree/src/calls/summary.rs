//! What is kept of a module once its trees are dropped: what its callers may pass and refer to, and what it calls.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Values, VariableFacts};
use super::call::{self, Call, Target};
use super::outputs;
use super::providers::{PassedConfiguration, Providers};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Origin, Severity};
use overfold_base::files::FileSet;
use overfold_dialect::ObjectKind;
use overfold_load::loading::Report;
use overfold_model::config::{Element, Payload};
use overfold_model::language::references::Subject;
use overfold_model::language::required_providers;
use overfold_model::scope::Definitions;
use overfold_value::Value;

/// A module as its callers and the modules it calls see it.
#[derive(Default, Debug)]
pub struct Summary {
    /// Its input variables.
    pub variables: BTreeMap<Box<str>, VariableFacts>,
    /// Its outputs.
    pub outputs: BTreeSet<Box<str>>,
    /// The providers that it requires and configures.
    pub providers: Providers,
    /// The modules that it calls, in order of declaration.
    pub calls: Vec<CallFacts>,
    /// The references to outputs of module calls: the names of call and output.
    pub references: BTreeSet<(Box<str>, Box<str>)>,
    /// Whether another module of the tree calls it.
    pub is_called: bool,
    /// Whether the tool itself reports an error in it.
    pub refused: bool,
}

/// A module call, without source positions.
#[derive(Debug)]
pub struct CallFacts {
    /// The name of the call.
    pub name: Box<str>,
    /// Where it leads.
    pub target: Target,
    /// What it passes to the called module.
    pub(crate) given: PassedArguments,
    /// Whether it has `count`, `for_each` or `depends_on`.
    pub(crate) is_repeated: bool,
    /// The provider configurations that it passes.
    pub passed: Vec<PassedConfiguration>,
}

/// What a call passes to the called module.
#[derive(Debug, Default)]
pub(crate) struct PassedArguments {
    /// The arguments in the base block; an argument that only an override adds does not satisfy a required variable.
    pub(crate) base: BTreeSet<Box<str>>,
    /// The values of the arguments, as far as they are known; only if the called module is in the upload.
    pub(crate) values: BTreeMap<Box<str>, Value>,
    /// Whether superfluous arguments are accepted: the tool does not check them if an override is merged into the call.
    pub(crate) unchecked: bool,
    /// Whether there are nested blocks, which no module accepts.
    pub(crate) has_blocks: bool,
    /// Whether the call contains an escape block; which arguments the tool then sees is not known here.
    pub(crate) escaped: bool,
}

impl Summary {
    /// Summarises what a merged module declares and calls, without any values. What its variables take matters only if
    /// it is called.
    pub fn declared(report: &Report<'_>, calls: &[Call<'_>], is_called: bool) -> Self {
        let registry = required_providers::registry(report.dialect).unwrap_or_default();
        let mut summary = Self {
            providers: Providers::new(registry),
            refused: report
                .diagnostics
                .iter()
                .any(|found| found.severity == Severity::Error && found.origin == Origin::Tool),
            ..Self::default()
        };
        for element in report.module.elements.iter().charged(2) {
            if is_called || element.kind != ObjectKind::Variable {
                summary.element(report, element);
            }
        }
        summary.calls = calls.iter().map(|call| facts(report, call)).collect();
        summary.providers.record_inherited(summary.calls.iter());
        summary
    }

    /// Summarises a merged module and its calls, with the values that they pass. `root` is its directory within the
    /// files.
    pub fn from_report(report: &Report<'_>, calls: &[Call<'_>], files: &FileSet, root: &str) -> Self {
        let mut summary = Self::declared(report, calls, true);
        let definitions = if report.dialect.rules.modules.calls_are_checked {
            Definitions::from_module(&report.module)
        } else {
            Definitions::default()
        };
        let mut values = Values::new(report, files, root, &definitions);
        for (facts, call) in summary.calls.iter_mut().zip(calls) {
            let is_checked = report.dialect.rules.modules.calls_are_checked
                && call.block.escaped.is_empty()
                && call.target.directory().is_some();
            if is_checked {
                facts.given.values = values.of_block(call.block);
            }
        }
        if calls.iter().any(|call| call.target.directory().is_some()) {
            for (_, references) in outputs::expressions(report) {
                summary.references.extend(references.list.iter().filter_map(|reference| match &reference.subject {
                    Some(Subject::Module { name, output: Some(output), .. }) => {
                        Some(((&**name).into(), (&**output).into()))
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
            (Payload::Variable(_), _) => {
                self.variables.extend(label().zip(VariableFacts::from_element(report, element)));
            }
            (Payload::Requirement(entry), _) => self.providers.require(report, element, entry),
            (_, ObjectKind::Output) => self.outputs.extend(label()),
            (_, ObjectKind::Provider) => self.providers.configure(element),
            _ => {}
        }
    }
}

fn facts(report: &Report<'_>, call: &Call<'_>) -> CallFacts {
    let block = call.block;
    let given = PassedArguments {
        base: call::inputs(block)
            .filter(|argument| call::is_in_base(block, argument))
            .map(|argument| argument.name.into())
            .collect(),
        values: BTreeMap::new(),
        unchecked: block.is_overridden(),
        has_blocks: call::unknown_blocks(block).next().is_some(),
        escaped: !block.escaped.is_empty(),
    };
    CallFacts {
        name: call.name.into(),
        target: call.target.clone(),
        given,
        is_repeated: call::repetition(block).is_some(),
        passed: PassedConfiguration::from_block(report.forest, report.dialect, block),
    }
}
