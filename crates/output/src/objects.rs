//! Writes the part `objects`: every object by address, with the position of each part and what it replaced.

use foldhash::HashSet;
use std::collections::BTreeMap;

use super::config;
use super::diagnostics::write_range;
use super::json::JsonWriter;
use super::redaction::{MARKER, Redaction};
use overfold_base::diag::{SourceId, Span};
use overfold_dialect::{AddressRule, AttrKind, ObjectKind};
use overfold_eval::TypeConstraint;
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

/// Writes all objects as one JSON object, with sorted keys.
pub(super) fn write(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>) {
    let context = Context { report, forest: report.forest, redaction };
    let sorted: BTreeMap<&str, &Element<'_>> = report
        .module
        .elements
        .iter()
        .filter(|element| !redaction.hides_labels(element.block))
        .map(|element| (element.address.text(report.forest), element))
        .collect();
    json.object(|json| {
        for (address, element) in sorted {
            json.key(address);
            json.object(|json| context.object(json, element));
        }
    });
}

/// Writes the list of a module that is a list of blocks, in the shape of nested blocks.
pub(super) fn write_list(
    json: &mut JsonWriter,
    report: &Report<'_>,
    redaction: &Redaction<'_>,
    blocks: &[Block<'_>],
) {
    let context = Context { report, forest: report.forest, redaction };
    json.array(|json| {
        for block in blocks {
            json.object(|json| context.nested_block(json, block, Order::AsListed));
        }
    });
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

impl Context<'_> {
    fn object(self, json: &mut JsonWriter, element: &Element<'_>) {
        let block = &element.block;
        json.member("kind", element.kind.name());
        self.places(json, block);
        if is_list_of_constraints(block) {
            json.key("constraints");
            json.array(|json| {
                for argument in block.arguments {
                    json.object(|json| {
                        self.expression_and_range(json, argument);
                        self.previous(json, argument);
                    });
                }
            });
            return;
        }
        if let Some(AddressRule::Fixed(_)) = block.spec.map(|spec| spec.address)
            && !block.labels.is_empty()
        {
            json.key("labels");
            self.labels(json, block);
        }
        self.declaration(json, element);
        self.evaluated(json, element);
        self.content(json, block, Order::ByKind);
    }

    /// Writes the type as declared, and the default as the loader stores it, converted.
    fn declaration(self, json: &mut JsonWriter, element: &Element<'_>) {
        let name = element.block.labels.first().map_or("", |label| label.text);
        let default = match &element.payload {
            Payload::Variable(variable) => {
                if let Some(constraint) = variable.constraint() {
                    self.declared_type(json, element.block, constraint);
                }
                variable.default().and_then(|default| default.to_json().ok())
            }
            Payload::Hcl1Variable(variable) => {
                if let Some(declared) = variable.declared {
                    json.member("type", declared.name());
                }
                variable.stored_default().and_then(|default| default.to_value().to_json().ok())
            }
            Payload::Output(constraint) => return self.declared_type(json, element.block, constraint),
            Payload::None | Payload::Requirement(_) => return,
        };
        let Some(default) = default else { return };
        json.key("default");
        if self.redaction.hides_variable(name) {
            redacted(json);
        } else {
            json.raw(&default);
        }
    }

    fn declared_type(self, json: &mut JsonWriter, block: &Block<'_>, constraint: &TypeConstraint) {
        if let Some(text) = declared_type(self.forest, self.redaction, block, constraint) {
            json.member("type", &text);
        }
    }

    /// Writes the results of static evaluation for the object.
    fn evaluated(self, json: &mut JsonWriter, element: &Element<'_>) {
        if let Some(module) =
            self.report.early.modules.get(element.address.name()).filter(|_| element.kind == ObjectKind::ModuleCall)
        {
            json.key("evaluated");
            json.object(|json| {
                let hidden = self.redaction.hides(module.source_secrecy);
                json.key("source");
                if hidden {
                    json.null();
                } else {
                    json.str(&module.source);
                }
                let version_hidden = module.version.is_some() && self.redaction.hides(module.version_secrecy);
                if let Some(version) = module.version.as_ref().filter(|_| !version_hidden) {
                    json.member("version", version);
                }
                if hidden || version_hidden {
                    json.key("redacted");
                    json.bool(true);
                }
            });
        }
        let instances = &self.report.early.instances;
        if !instances.is_empty()
            && let Some(keys) = instances.get(&*element.address.to_string())
        {
            json.key("instance_keys");
            json.array(|json| {
                for key in keys {
                    json.str(key);
                }
            });
        }
    }

    fn content(self, json: &mut JsonWriter, block: &Block<'_>, order: Order) {
        let overrides: HashSet<SourceId> = block.overridden_by().newest_first().map(|header| header.source).collect();
        json.key("attributes");
        self.arguments(json, block.arguments, &overrides);
        if !block.escaped.is_empty() {
            json.key("escaped");
            self.arguments(json, block.escaped, &overrides);
        }
        json.key("blocks");
        json.array(|json| {
            let blocks = match order {
                Order::ByKind => block.blocks_in_order(),
                Order::AsListed => block.blocks.iter().collect(),
            };
            for nested in blocks.into_iter().filter(|nested| block.lists(nested)) {
                json.object(|json| self.nested_block(json, nested, order));
            }
        });
        if !block.removed_blocks().is_empty() {
            json.key("removed_blocks");
            json.array(|json| {
                for gone in block.removed_blocks().list() {
                    json.object(|json| self.nested_block(json, gone, order));
                }
            });
        }
    }

    fn nested_block(self, json: &mut JsonWriter, block: &Block<'_>, order: Order) {
        json.member("type", if self.redaction.hides_damaged(block.header) { MARKER } else { block.keyword });
        json.key("labels");
        self.labels(json, block);
        self.places(json, block);
        with_stack(|| self.content(json, block, order));
    }

    /// Writes the position of a block, and what was merged into it.
    fn places(self, json: &mut JsonWriter, block: &Block<'_>) {
        json.key("header");
        write_range(json, &self.forest.sources, block.header);
        json.key("range");
        write_range(json, &self.forest.sources, block.range);
        if block.is_overridden() {
            json.key("overridden_by");
            self.ranges(json, &block.overridden_by().list());
        }
    }

    fn labels(self, json: &mut JsonWriter, block: &Block<'_>) {
        json.array(|json| {
            for label in block.labels {
                json.str(if self.redaction.hides_text(label.span) { MARKER } else { label.text });
            }
        });
    }

    fn ranges(self, json: &mut JsonWriter, spans: &[&Span]) {
        json.array(|json| {
            for &&span in spans {
                write_range(json, &self.forest.sources, span);
            }
        });
    }

    /// Writes arguments by name. `overrides` holds the files of the blocks that were merged in.
    fn arguments(self, json: &mut JsonWriter, list: &[Argument<'_>], overrides: &HashSet<SourceId>) {
        let mut sorted: Vec<&Argument<'_>> = list
            .iter()
            .filter(|argument| argument.is_listed() && !self.redaction.hides_text(argument.name_span))
            .collect();
        sorted.sort_by(|a, b| a.name.cmp(b.name));
        json.object(|json| {
            for argument in sorted {
                json.key(argument.name);
                json.object(|json| {
                    self.expression_and_range(json, argument);
                    let shown = argument.value.as_ref().filter(|value| !self.redaction.hides_value(value));
                    if let Some(value) = shown.and_then(|value| value.to_json().ok()) {
                        json.key("value");
                        json.raw(&value);
                    }
                    if argument.previous.is_empty() && overrides.contains(&argument.range.source) {
                        json.key("added");
                        json.bool(true);
                    }
                    self.previous(json, argument);
                });
            }
        });
    }

    fn previous(self, json: &mut JsonWriter, argument: &Argument<'_>) {
        if argument.previous.is_empty() {
            return;
        }
        json.key("previous");
        json.array(|json| {
            for earlier in argument.previous.list() {
                json.object(|json| self.expression_and_range(json, earlier));
            }
        });
    }

    fn expression_and_range(self, json: &mut JsonWriter, argument: &Argument<'_>) {
        if argument.broken {
            json.key("broken");
            json.bool(true);
        } else if self.redaction.hides_expression(argument.expr) {
            json.key("expression");
            redacted(json);
        } else {
            let span = self.forest.sources.in_file(self.forest.expr_span(argument.expr));
            json.member("expression", &self.forest.sources.text(span));
        }
        json.key("range");
        write_range(json, &self.forest.sources, argument.range);
    }
}

/// Writes the value of a hidden member, and the member that marks it as hidden.
fn redacted(json: &mut JsonWriter) {
    json.null();
    json.key("redacted");
    json.bool(true);
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
