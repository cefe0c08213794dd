//! The parts of one module (plan.md, section 16).

use super::expression::ExpressionReader;
use super::references::{ParsedReference, subject};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::Diagnostics;
use overfold_base::written::order;
use overfold_check::validate::walker::{Walk, meta_argument, meta_blocks};
use overfold_dialect::{Behaviour, ObjectKind, words};
use overfold_eval as eval;
use overfold_load::plan::configuration::{
    BodyPart, CallConfiguration, Expression, Expressions, ModuleParts, OutputConfiguration, ResourceConfiguration,
    VariableConfiguration,
};
use overfold_model::config::{Block, DecodedArgument, Element, ObjectAddr, is_set, resource_mode};
use overfold_model::language::dependencies::{self, ActionDependency};
use overfold_model::language::references::ResourceMode;
use overfold_model::schema::{self, BodySchema};
use overfold_model::scope::Variable;
use overfold_syntax::Forest;
use overfold_tree::calls;
use overfold_tree::module_tree::{TreeCall, TreeModule};
use overfold_value::Marks;

/// A module that is described.
struct Describing<'w, 'a> {
    walk: &'w Walk<'a>,
    module: &'w TreeModule<'a>,
    reading: ExpressionReader<'a>,
}

/// Describes a module of the tree. Also returns the block of each resource.
pub(super) fn parts<'a>(walk: &Walk<'a>, module: &TreeModule<'a>) -> (ModuleParts, Vec<&'a Block<'a>>) {
    let report = module.report;
    let reading = ExpressionReader::from_report(report);
    let describing = Describing { walk, module, reading };
    let mut parts = ModuleParts::default();
    let mut resources: Vec<(ResourceConfiguration, &'a Block<'a>)> = Vec::new();
    for element in report.module.elements.iter().charged(4) {
        let length =
            element.block.labels.iter().map(|label| label.text.len()).sum::<usize>() + element.address.name().len();
        account::touch(length * 2);
        account::grow((size_of::<ResourceConfiguration>() + 2 * length) as u64);
        match element.kind {
            ObjectKind::Output => parts.outputs.push((element.address.name().into(), describing.output(element))),
            ObjectKind::Variable => {
                parts
                    .variables
                    .extend(describing.variable(element).map(|found| (element.address.name().into(), found)));
            }
            kind => {
                let mode = resource_mode(kind);
                let found = mode.and_then(|mode| describing.resource(element, mode));
                resources.extend(found.map(|found| (found, element.block)));
            }
        }
    }
    parts.calls = module.calls.iter().map(|call| (call.call.name.into(), describing.call(call))).collect();
    parts.calls.sort_by(|(a, _), (b, _)| order(a, b));
    parts.outputs.sort_by(|(a, _), (b, _)| order(a, b));
    parts.variables.sort_by(|(a, _), (b, _)| order(a, b));
    let rank = |mode: ResourceMode| match mode {
        ResourceMode::Managed => 0,
        ResourceMode::Data => 1,
        _ => 2,
    };
    resources.sort_by(|(a, _), (b, _)| rank(a.mode).cmp(&rank(b.mode)).then_with(|| order(&a.address, &b.address)));
    let (resources, blocks) = resources.into_iter().unzip();
    parts.resources = resources;
    (parts, blocks)
}

impl<'a> Describing<'_, 'a> {
    fn output(&self, element: &Element<'a>) -> OutputConfiguration {
        let block = element.block;
        let sensitive = is_set(block, words::SENSITIVE);
        let value = block.argument(words::VALUE);
        let marks = if sensitive { Marks::SENSITIVE } else { Marks::NONE };
        OutputConfiguration {
            sensitive,
            ephemeral: is_set(block, words::EPHEMERAL),
            deprecated: text(self.reading.forest, block, DEPRECATED),
            expression: value.map(|value| self.reading.expression(value.expr, marks)).unwrap_or_default(),
            depends_on: self.depends_on(block),
            description: text(self.reading.forest, block, DESCRIPTION),
        }
    }

    fn variable(&self, element: &Element<'a>) -> Option<VariableConfiguration> {
        let variable = Variable::from_element(&self.module.report.module, element)?;
        let marks = variable.marks.and(variable.suspected_marks);
        Some(VariableConfiguration {
            default: variable.default().map(|default| default.clone().with_marks(marks)),
            description: text(self.reading.forest, element.block, DESCRIPTION),
            sensitive: is_set(element.block, words::SENSITIVE),
            ty: variable.constraint().map(|declared| declared.ty.clone()),
            ephemeral: is_set(element.block, words::EPHEMERAL),
            deprecated: text(self.reading.forest, element.block, DEPRECATED),
        })
    }

    /// Describes a module call. Arguments for which the called module has no variable are not shown.
    fn call(&self, call: &TreeCall<'a>) -> CallConfiguration {
        let block = call.call.block;
        let called = call.module.and_then(|at| self.walk.tree.get(at));
        let mut expressions: List<(Box<str>, BodyPart)> = List::new();
        for argument in calls::inputs(block).charged(2) {
            account::text(argument.name.len());
            let variable = called.map(|called| called.summary.variables.get(argument.name));
            let marks = match variable {
                None => Marks::NONE,
                Some(None) => continue,
                Some(Some(variable)) => Marks::from_secrecy(variable.secrecy),
            };
            let expression = self.reading.expression(argument.expr, marks);
            expressions.push((argument.name.into(), BodyPart::Argument(expression)));
        }
        expressions.sort_by(|(a, _), (b, _)| order(a, b));
        let count = self.repetition(block, words::COUNT);
        CallConfiguration {
            source: call.call.text.as_deref().unwrap_or_default().into(),
            expressions: expressions.into(),
            for_each: self.repetition(block, words::FOR_EACH).filter(|_| count.is_none()),
            count,
            version_constraint: text(self.reading.forest, block, words::VERSION),
            depends_on: self.depends_on(block),
        }
    }

    /// Describes a managed resource or a data source; others are not shown.
    fn resource(&self, element: &Element<'a>, mode: ResourceMode) -> Option<ResourceConfiguration> {
        let is_shown = match mode {
            ResourceMode::Managed | ResourceMode::Data => true,
            ResourceMode::Ephemeral => {
                self.module.report.dialect.has(Behaviour::DocumentConfiguresEphemeralResources)
            }
            ResourceMode::Action | ResourceMode::List => false,
        };
        if !is_shown {
            return None;
        }
        let ObjectAddr::Resource { type_name, name, .. } = element.address else { return None };
        let block = element.block;
        let object = self.walk.schemas.object(self.module, block, mode);
        let schema: Option<&BodySchema> = object.known().map(|schema| &**schema);
        let provisioners = meta_blocks(block, words::PROVISIONER).map(|provisioner| {
            let kind = provisioner.labels.first().map_or("", |label| label.text);
            let expressions: Expressions = self.reading.body(provisioner, schema::provisioner(kind));
            (Box::from(kind), expressions)
        });
        let count = self.repetition(block, words::COUNT);
        Some(ResourceConfiguration {
            address: element.address.to_string().into(),
            mode,
            type_name: type_name.into(),
            name: name.into(),
            provisioners: provisioners.collect(),
            expressions: self.reading.body(block, schema),
            schema_version: schema.map_or(0, |schema| schema.version),
            for_each: self.repetition(block, words::FOR_EACH).filter(|_| count.is_none()),
            count,
            depends_on: self.depends_on(block),
        })
    }

    fn repetition(&self, block: &Block<'a>, name: &str) -> Option<Expression> {
        self.reading.optional(meta_argument(block, name)?.expr)
    }

    /// Returns the objects that `depends_on` names, without further steps.
    fn depends_on(&self, block: &Block<'a>) -> Vec<Box<str>> {
        let Some(argument) = meta_argument(block, words::DEPENDS_ON) else { return Vec::new() };
        let (taken, mut nothing) = (ActionDependency::Taken, Diagnostics::new());
        let items = dependencies::depends_on(self.reading.forest, argument.expr, taken, &mut nothing);
        let named = items.into_iter().filter_map(|item| ParsedReference::parse(item.traversal, self.reading.words));
        named
            .map(|named| {
                let text = subject(&named.subject);
                account::grow(text.len() as u64);
                text.into()
            })
            .collect()
    }
}

/// The argument of variables and outputs that describes them.
const DESCRIPTION: &str = "description";

/// The argument of variables and outputs that says why they should not be used.
const DEPRECATED: &str = "deprecated";

/// Returns the text of an argument; `None` if it is empty or not constant.
pub(super) fn text(forest: &Forest, block: &Block<'_>, name: &str) -> Option<Box<str>> {
    let argument = block.usable_argument(name)?;
    let text: Box<str> = match argument.decoded {
        DecodedArgument::Text(text) => {
            account::copy(text.len());
            text.into()
        }
        _ => eval::constant(forest, argument.expr, &mut Diagnostics::new()).as_text()?.into(),
    };
    account::grow(text.len() as u64);
    Some(text).filter(|text| !text.is_empty())
}
