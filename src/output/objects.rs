//! The part `objects`: every object by its address, with the place of each part and what it replaced.

use std::collections::BTreeMap;

use super::diagnostics::write_range;
use super::json::JsonWriter;
use crate::diag::Span;
use crate::dialect::{AddressRule, AttrKind, BlockSpec};
use crate::load::{Argument, Block, Decoded, Element, Payload};
use crate::pipeline::Report;
use crate::syntax::Forest;
use crate::value::with_stack;

/// Writes the object of all objects, keys sorted.
pub(super) fn write(json: &mut JsonWriter, report: &Report) {
    let sorted: BTreeMap<&str, &Element> =
        report.module.elements.iter().map(|element| (&*element.address.0, element)).collect();
    json.object(|json| {
        for (address, element) in sorted {
            json.key(address);
            json.object(|json| object(json, report, element));
        }
    });
}

/// Writes the list of a module that is one, in the shape of nested blocks.
pub(super) fn write_list(json: &mut JsonWriter, report: &Report, blocks: &[Block]) {
    json.array(|json| {
        for block in blocks {
            json.object(|json| nested_block(json, &report.forest, block, Order::AsListed));
        }
    });
}

fn object(json: &mut JsonWriter, report: &Report, element: &Element) {
    let forest = &report.forest;
    let block = &element.block;
    json.member("kind", element.kind);
    if is_list_of_constraints(block) {
        json.key("constraints");
        json.array(|json| {
            for argument in &block.arguments {
                json.object(|json| expression_and_range(json, forest, argument));
            }
        });
        return;
    }
    json.key("declared");
    write_range(json, &forest.sources, block.header);
    if !block.overridden.is_empty() {
        json.key("overridden");
        ranges(json, forest, &block.overridden);
    }
    if let Some(AddressRule::Fixed(_)) = block.spec.map(|spec| spec.address)
        && !block.labels.is_empty()
    {
        json.key("labels");
        labels(json, block);
    }
    declaration(json, element, report.reveal_sensitive);
    worked_out(json, report, element);
    content(json, forest, block, Order::ByKind);
}

/// Whether the element is a setting that may be given many times and holds each as an argument of the same name.
fn is_list_of_constraints(block: &Block) -> bool {
    block.arguments.first().and_then(|argument| argument.spec).is_some_and(|spec| match spec.kind {
        AttrKind::RequiredVersion(row) => block.spec.is_none_or(|own| own.keyword == row.keyword),
        _ => false,
    })
}

/// Type and default as the loader holds them: the type without its `optional()` marks, the default converted.
fn declaration(json: &mut JsonWriter, element: &Element, reveal: bool) {
    let (constraint, default) = match &element.payload {
        Payload::Variable(variable) => (variable.constraint.as_ref(), variable.default.as_ref()),
        Payload::PlainVariable(variable) => {
            if let Some(declared) = variable.declared {
                json.member("type", declared.name());
            }
            if let Some(default) = variable.held_default().and_then(|default| default.to_value().to_json().ok()) {
                json.key("default");
                json.raw(&default);
            }
            return;
        }
        Payload::Output(constraint) => (Some(&**constraint), None),
        Payload::None => (None, None),
    };
    if let Some(constraint) = constraint {
        json.member("type", &constraint.ty.without_optional().to_string());
    }
    let secret = default.is_some() && !reveal && is_sensitive(&element.block);
    if secret {
        json.key("default");
        json.null();
        json.key("redacted");
        json.bool(true);
    } else if let Some(default) = default.and_then(|default| default.to_json().ok()) {
        json.key("default");
        json.raw(&default);
    }
}

/// Whether a variable's block says that its value is sensitive.
pub(super) fn is_sensitive(block: &Block) -> bool {
    block.arguments.iter().any(|flag| &*flag.name == "sensitive" && flag.decoded == Decoded::Bool(true))
}

/// What static evaluation made of the object.
fn worked_out(json: &mut JsonWriter, report: &Report, element: &Element) {
    if let Some(module) = report.statics.modules.get(&element.address) {
        json.key("resolved");
        json.object(|json| {
            if module.secret && !report.reveal_sensitive {
                json.key("source");
                json.null();
                json.key("redacted");
                json.bool(true);
                return;
            }
            json.member("source", &module.source);
            if let Some(version) = &module.version {
                json.member("version", version);
            }
        });
    }
    if let Some(keys) = report.statics.instances.get(&element.address) {
        json.key("instances");
        json.array(|json| {
            for key in keys {
                json.str(key);
            }
        });
    }
}

/// In which order nested blocks are shown.
#[derive(Clone, Copy)]
enum Order {
    /// As the tool holds them.
    ByKind,
    /// As they stand.
    AsListed,
}

fn content(json: &mut JsonWriter, forest: &Forest, block: &Block, order: Order) {
    json.key("attributes");
    arguments(json, forest, &block.arguments);
    if !block.escaped.is_empty() {
        json.key("escaped");
        arguments(json, forest, &block.escaped);
    }
    json.key("blocks");
    json.array(|json| {
        let blocks = match order {
            Order::ByKind => in_order(block),
            Order::AsListed => block.blocks.iter().collect(),
        };
        for nested in blocks.into_iter().filter(|nested| block.holds(nested)) {
            json.object(|json| nested_block(json, forest, nested, order));
        }
    });
    if !block.overrode_blocks.is_empty() {
        json.key("overrode_blocks");
        json.array(|json| {
            for gone in &block.overrode_blocks {
                json.object(|json| {
                    json.member("type", &gone.keyword);
                    json.key("labels");
                    labels(json, gone);
                    json.key("range");
                    write_range(json, &forest.sources, gone.header);
                });
            }
        });
    }
}

fn nested_block(json: &mut JsonWriter, forest: &Forest, block: &Block, order: Order) {
    json.member("type", &block.keyword);
    json.key("labels");
    labels(json, block);
    json.key("range");
    write_range(json, &forest.sources, block.header);
    if !block.overridden.is_empty() {
        json.key("overridden");
        ranges(json, forest, &block.overridden);
    }
    with_stack(|| content(json, forest, block, order));
}

/// Nested blocks as the tool holds them: those of the object's own type first, then the ones that the language knows,
/// by kind.
pub(super) fn in_order(block: &Block) -> Vec<&Block> {
    let rows: &[BlockSpec] = block.spec.map_or(&[], |spec| spec.blocks);
    let mut blocks: Vec<&Block> = block.blocks.iter().collect();
    blocks.sort_by_key(|nested| rows.iter().position(|row| *row.keyword == *nested.keyword).map_or(0, |at| at + 1));
    blocks
}

fn labels(json: &mut JsonWriter, block: &Block) {
    json.array(|json| {
        for label in &block.labels {
            json.str(&label.text);
        }
    });
}

fn ranges(json: &mut JsonWriter, forest: &Forest, spans: &[Span]) {
    json.array(|json| {
        for &span in spans {
            write_range(json, &forest.sources, span);
        }
    });
}

fn arguments(json: &mut JsonWriter, forest: &Forest, list: &[Argument]) {
    let mut sorted: Vec<&Argument> = list.iter().filter(|argument| argument.is_held()).collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    json.object(|json| {
        for argument in sorted {
            json.key(&argument.name);
            json.object(|json| {
                expression_and_range(json, forest, argument);
                if let Some(value) = argument.value.as_ref().and_then(|value| value.to_json().ok()) {
                    json.key("value");
                    json.raw(&value);
                }
                if !argument.overrode.is_empty() {
                    json.key("overrode");
                    json.array(|json| {
                        for earlier in &argument.overrode {
                            json.object(|json| expression_and_range(json, forest, earlier));
                        }
                    });
                }
            });
        }
    });
}

fn expression_and_range(json: &mut JsonWriter, forest: &Forest, argument: &Argument) {
    if argument.broken {
        json.key("broken");
        json.bool(true);
    } else {
        let span = forest.sources.in_file(forest.expr_span(argument.expr));
        json.member("expression", &forest.sources.text(span));
    }
    json.key("range");
    write_range(json, &forest.sources, argument.range);
}
