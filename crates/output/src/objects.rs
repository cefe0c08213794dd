//! The part `objects`: every object by address, with the position of each part and what it replaced.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foldhash::HashSet;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::config;
use super::json::JsonText;
use super::redaction::{MARKER, Redaction};
use crate::view;
use crate::view::{Attribute, ConfigObject, Constraint, EvaluatedCall, HideableText, Range, Replaced};
use overfold_base::diag::{SourceId, Span};
use overfold_dialect::{AddressRule, AttrKind, ObjectKind};
use overfold_eval::TypeConstraint;
use overfold_model::body::content::ContentLabel;
use overfold_model::config::{Argument, Block, Element, Payload};
use overfold_module::pipeline::Report;
use overfold_syntax::Forest;
use overfold_value::{Type, with_stack};

/// The inputs that every function here needs.
#[derive(Clone, Copy)]
struct Context<'a> {
    report: &'a Report<'a>,
    forest: &'a Forest,
    redaction: &'a Redaction<'a>,
}

/// All objects by address.
pub struct Objects<'a>(Context<'a>);

impl<'a> Objects<'a> {
    /// Lists the objects of a report.
    pub(super) const fn of(report: &'a Report<'a>, redaction: &'a Redaction<'a>) -> Self {
        Self(Context { report, forest: report.forest, redaction })
    }
}

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Context { report, redaction, forest } = self.0;
        let sorted: BTreeMap<&str, &Element<'_>> = report
            .module
            .elements
            .iter()
            .filter(|element| !redaction.hides_labels(element.block))
            .map(|element| (element.address.text(forest), element))
            .collect();
        serializer.collect_map(sorted.into_iter().map(|(address, element)| (address, self.0.object(element))))
    }
}

/// Nested blocks, in the order in which they are shown.
pub struct NestedBlocks<'a> {
    context: Context<'a>,
    list: Vec<&'a Block<'a>>,
    order: Order,
}

impl<'a> NestedBlocks<'a> {
    /// Lists the blocks of a module that is a list of blocks, in the shape of nested blocks.
    pub(super) fn of_list(report: &'a Report<'a>, redaction: &'a Redaction<'a>, blocks: &'a [Block<'a>]) -> Self {
        let context = Context { report, forest: report.forest, redaction };
        Self { context, list: blocks.iter().collect(), order: Order::AsListed }
    }
}

impl Serialize for NestedBlocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.list.len()))?;
        for block in &self.list {
            with_stack(|| list.serialize_element(&self.context.nested_block(block, self.order)))?;
        }
        list.end()
    }
}

/// The arguments of a block by name.
pub struct Arguments<'a> {
    context: Context<'a>,
    block: &'a Block<'a>,
    list: &'a [Argument<'a>],
}

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { context, block, list } = *self;
        // The files of the blocks that were merged in.
        let overrides: HashSet<SourceId> =
            block.overridden_by().newest_first().map(|over| over.header.source).collect();
        let mut sorted: Vec<&Argument<'_>> = list
            .iter()
            .filter(|argument| argument.is_listed() && !context.redaction.hides_text(argument.name_span))
            .collect();
        sorted.sort_by(|a, b| a.name.cmp(b.name));
        serializer
            .collect_map(sorted.into_iter().map(|argument| (argument.name, context.attribute(argument, &overrides))))
    }
}

/// Whether the element is a setting that may be given several times and holds each value as an argument of the same
/// name.
fn is_list_of_constraints(block: &Block<'_>) -> bool {
    block.arguments.first().and_then(|argument| argument.spec).is_some_and(|spec| match spec.kind {
        AttrKind::RequiredVersion(row) => block.spec.is_none_or(|own| own.keyword == row.keyword),
        _ => false,
    })
}

/// The order in which nested blocks are shown.
#[derive(Clone, Copy)]
enum Order {
    /// As the tool stores them.
    ByKind,
    /// As they are listed.
    AsListed,
}

/// The type as declared, the default as the loader stores it, converted, and whether it is hidden.
type Declaration<'a> = (Option<Cow<'a, str>>, Option<JsonText<'a>>, Option<bool>);

impl<'a> Context<'a> {
    fn object(self, element: &'a Element<'a>) -> ConfigObject<'a> {
        let block = &element.block;
        let object = ConfigObject {
            kind: element.kind.name(),
            header: self.range(block.header),
            range: self.range(block.range),
            overridden_by: self.overridden_by(block),
            labels: Vec::new(),
            type_: None,
            default: None,
            redacted: None,
            evaluated: None,
            instance_keys: None,
            attributes: None,
            escaped: None,
            blocks: None,
            removed_blocks: None,
            constraints: None,
        };
        if is_list_of_constraints(block) {
            let constraints = block.arguments.iter().map(|argument| {
                let Replaced { expression, redacted, broken, range } = self.expression(argument);
                Constraint { expression, redacted, broken, range, previous: self.previous(argument) }
            });
            return ConfigObject { constraints: Some(constraints.collect()), ..object };
        }
        let has_fixed_address = matches!(block.spec.map(|spec| spec.address), Some(AddressRule::Fixed(_)));
        let (type_, default, redacted) = self.declaration(element);
        let instances = &self.report.early.instances;
        let instance_keys = || Some(instances.get(&*element.address.to_string())?.iter().map(|key| &**key).collect());
        ConfigObject {
            labels: if has_fixed_address { self.labels(block) } else { Vec::new() },
            type_,
            default,
            redacted,
            evaluated: self.evaluated(element),
            instance_keys: if instances.is_empty() { None } else { instance_keys() },
            attributes: Some(self.arguments(block, block.arguments)),
            escaped: self.escaped(block),
            blocks: Some(self.blocks(block, Order::ByKind)),
            removed_blocks: self.removed_blocks(block, Order::ByKind),
            ..object
        }
    }

    fn declaration(self, element: &'a Element<'a>) -> Declaration<'a> {
        let name = element.block.labels.first().map_or("", |label| label.text);
        let (type_, default) = match &element.payload {
            Payload::Variable(variable) => {
                let type_ = variable.constraint().and_then(|constraint| self.declared_type(element, constraint));
                (type_, variable.default().and_then(JsonText::of))
            }
            Payload::Hcl1Variable(variable) => {
                let default = variable.stored_default().and_then(|default| JsonText::of(&default.to_value()));
                (variable.declared.map(|declared| declared.name().into()), default)
            }
            Payload::Output(constraint) => (self.declared_type(element, constraint), None),
            Payload::None | Payload::Requirement(_) => (None, None),
        };
        if default.is_some() && self.redaction.hides_variable(name) {
            return (type_, Some(JsonText::NULL), Some(true));
        }
        (type_, default, None)
    }

    fn declared_type(self, element: &Element<'_>, constraint: &TypeConstraint) -> Option<Cow<'a, str>> {
        declared_type(self.forest, self.redaction, element.block, constraint).map(Into::into)
    }

    /// Returns the results of static evaluation for a call.
    fn evaluated(self, element: &Element<'_>) -> Option<EvaluatedCall<'a>> {
        if element.kind != ObjectKind::ModuleCall {
            return None;
        }
        let module = self.report.early.modules.get(element.address.name())?;
        let hidden = self.redaction.hides(module.source_secrecy);
        let version_hidden = module.version.is_some() && self.redaction.hides(module.version_secrecy);
        Some(EvaluatedCall {
            source: if hidden { None } else { Some(&*module.source) },
            version: module.version.as_deref().filter(|_| !version_hidden),
            redacted: (hidden || version_hidden).then_some(true),
        })
    }

    fn nested_block(self, block: &'a Block<'a>, order: Order) -> view::Block<'a> {
        view::Block {
            type_: if self.redaction.hides_damaged(block.header) { MARKER } else { block.keyword },
            labels: self.labels(block),
            header: self.range(block.header),
            range: self.range(block.range),
            overridden_by: self.overridden_by(block),
            attributes: self.arguments(block, block.arguments),
            escaped: self.escaped(block),
            blocks: self.blocks(block, order),
            removed_blocks: self.removed_blocks(block, order),
        }
    }

    const fn arguments(self, block: &'a Block<'a>, list: &'a [Argument<'a>]) -> Arguments<'a> {
        Arguments { context: self, block, list }
    }

    fn escaped(self, block: &'a Block<'a>) -> Option<Arguments<'a>> {
        (!block.escaped.is_empty()).then(|| self.arguments(block, block.escaped))
    }

    fn blocks(self, block: &'a Block<'a>, order: Order) -> NestedBlocks<'a> {
        let list = match order {
            Order::ByKind => block.blocks_in_order(),
            Order::AsListed => block.blocks.iter().collect(),
        };
        NestedBlocks { context: self, list: list.into_iter().filter(|nested| block.lists(nested)).collect(), order }
    }

    fn removed_blocks(self, block: &'a Block<'a>, order: Order) -> Option<NestedBlocks<'a>> {
        let list = block.removed_blocks().list();
        (!list.is_empty()).then(|| NestedBlocks { context: self, list: list.into_vec(), order })
    }

    fn range(self, span: Span) -> Range<'a> {
        Range::of(&self.forest.sources, span)
    }

    fn overridden_by(self, block: &Block<'_>) -> Vec<Range<'a>> {
        block.overridden_by().list().into_iter().map(|over| self.range(over.header)).collect()
    }

    fn labels(self, block: &Block<'a>) -> Vec<&'a str> {
        let label =
            |label: &ContentLabel<'a>| if self.redaction.hides_text(label.span) { MARKER } else { label.text };
        block.labels.iter().map(label).collect()
    }

    fn attribute(self, argument: &'a Argument<'a>, overrides: &HashSet<SourceId>) -> Attribute<'a> {
        let Replaced { expression, redacted, broken, range } = self.expression(argument);
        let shown = argument.value.as_ref().filter(|value| !self.redaction.hides_value(value));
        let is_added = argument.previous.is_empty() && overrides.contains(&argument.range.source);
        Attribute {
            expression,
            redacted,
            broken,
            range,
            value: shown.and_then(|value| JsonText::of(value)),
            added: is_added.then_some(true),
            previous: self.previous(argument),
        }
    }

    fn previous(self, argument: &'a Argument<'a>) -> Vec<Replaced<'a>> {
        argument.previous.list().into_iter().map(|earlier| self.expression(earlier)).collect()
    }

    /// Returns the expression of an argument, and its place.
    fn expression(self, argument: &Argument<'_>) -> Replaced<'a> {
        let range = self.range(argument.range);
        if argument.broken {
            return Replaced { expression: None, redacted: None, broken: Some(true), range };
        }
        let hidden = self.redaction.hides_expression(argument.expr);
        let sources = &self.forest.sources;
        let text = || sources.text(sources.in_file(self.forest.expr_span(argument.expr)));
        let expression = Some(HideableText((!hidden).then(text)));
        Replaced { expression, redacted: hidden.then_some(true), broken: None, range }
    }
}

/// Returns the type constraint of a variable or output as declared, or `any` if that is not a type. `None` if it may
/// not be shown.
pub(super) fn declared_type(
    forest: &Forest,
    redaction: &Redaction<'_>,
    block: &Block<'_>,
    constraint: &TypeConstraint,
) -> Option<String> {
    if constraint.ty == Type::Dynamic {
        return redaction.shows_type(block).then(|| constraint.ty.to_string());
    }
    let is_type = |argument: &&Argument<'_>| {
        argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::TypeConstraint(_))) && !argument.broken
    };
    let argument = block.arguments.iter().find(is_type).filter(|_| redaction.shows_type(block))?;
    let mut all = argument.previous.newest_first().chain([argument]);
    let hide_defaults = all.any(|argument| redaction.hides_expression(argument.expr));
    config::declared_type(forest, block, argument, hide_defaults)
}
