//! Writes the JSON form of HCL 1 so that the tool loads it as the merged module.
//!
//! The tool unfolds what it reads: an object that contains only objects becomes one item for each of them, with one
//! more key, and an array that contains only objects becomes one item for each. That is intended for the labels of a
//! block, but would tear anything else apart; so if all members of a body or map are objects, each is written as an
//! array with one item.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::json::JsonWriter;
use super::super::overrides::Pointers;
use super::super::redaction::Redaction;
use super::expr::Form;
use super::origin::Origin;
use overfold_model::config::effective::{Holder, Section, SectionContent};
use overfold_model::config::{Argument, Block, Element, Payload};
use overfold_module::pipeline::Report;
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_syntax::{ExprAt, Forest, hcl1};
use overfold_value::{Hcl1Map, Hcl1Value, with_stack};

/// Writes the whole module.
pub(super) fn write(
    json: &mut JsonWriter,
    report: &Report<'_>,
    redaction: &Redaction<'_>,
    sections: Vec<Section<'_>>,
    pointers: Option<&Pointers>,
) {
    let writer = Writer { forest: report.forest, redaction, pointers, compared: json.records_origins() };
    json.object(|json| {
        for section in sections {
            json.key(section.keyword);
            writer.section(json, &section.content);
        }
    });
}

/// What one name of a body or map refers to.
enum Part<'a> {
    Hidden,
    Expr(&'a Tree, Id<Expr>),
    Value(&'a Hcl1Value),
    Map(&'a Hcl1Map),
    Block(&'a Block<'a>),
    /// The expression of an argument.
    Argument(&'a Argument<'a>, &'a Tree, Id<Expr>),
    /// The combined value of an argument that is written in several pieces.
    Whole(&'a Argument<'a>, &'a Hcl1Value),
}

impl Part<'_> {
    fn is_object(&self) -> bool {
        match self {
            Self::Expr(tree, id) | Self::Argument(_, tree, id) => {
                matches!(tree.expr(*id).kind, ExprKind::Object { .. })
            }
            Self::Value(plain) | Self::Whole(_, plain) => match plain {
                Hcl1Value::Map(_) => true,
                Hcl1Value::Bodies(bodies) => bodies.len() == 1,
                _ => false,
            },
            Self::Hidden => false,
            Self::Map(_) | Self::Block(_) => true,
        }
    }
}

struct Writer<'a> {
    forest: &'a Forest,
    redaction: &'a Redaction<'a>,
    /// Filled in if the positions of the parts are requested.
    pointers: Option<&'a Pointers>,
    /// Whether the output is only compared and never shown: it then contains secrets, and the parts that contain them
    /// are marked.
    compared: bool,
}

impl<'a> Writer<'a> {
    /// Writes the value of a top-level key.
    fn section(&self, json: &mut JsonWriter, content: &SectionContent<'a>) {
        match content {
            SectionContent::Holder(holder) => self.holder(json, holder),
            SectionContent::Arguments(named) => {
                let mut members: BTreeMap<&str, Vec<Part<'a>>> = BTreeMap::new();
                for (name, element) in named {
                    let value = element.block.arguments.first().and_then(|argument| self.part(argument));
                    members.entry(name).or_default().extend(value);
                }
                self.members(json, members);
            }
            SectionContent::Blocks(elements) => {
                let same =
                    |pair: &[&Element<'_>]| matches!(pair, [a, b] if a.block.label_texts().eq(b.block.label_texts()));
                if elements.windows(2).any(same) {
                    // Several configurations of one provider.
                    json.array(|json| elements.iter().for_each(|element| self.labelled(json, element, 0)));
                } else {
                    self.by_labels(json, elements, 0);
                }
            }
            // A list of blocks is never written in HCL 1.
            SectionContent::Listed(_) => json.null(),
        }
    }

    /// Writes the value of a block that only holds others.
    fn holder(&self, json: &mut JsonWriter, holder: &Holder<'a>) {
        let mut keys: Vec<(&str, Result<&'a Element<'a>, &'a Argument<'a>>)> = Vec::new();
        for section in &holder.sections {
            if let SectionContent::Blocks(elements) = &section.content {
                keys.extend(elements.iter().map(|element| (section.keyword, Ok(*element))));
            }
        }
        keys.extend(holder.settings.iter().map(|setting| (setting.name, Err(*setting))));
        keys.sort_by_key(|(key, _)| *key);
        json.object(|json| {
            for (key, inside) in keys {
                json.key(key);
                match inside {
                    Ok(element) => self.labelled(json, element, 0),
                    Err(setting) => self.argument(json, setting),
                }
            }
        });
    }

    /// Writes elements under nested objects, one level for each label. They are sorted by their labels, all of which
    /// differ.
    fn by_labels(&self, json: &mut JsonWriter, elements: &[&'a Element<'a>], depth: usize) {
        if let [only] = elements {
            return self.labelled(json, only, depth);
        }
        json.object(|json| {
            let mut rest = elements;
            while let Some(name) = rest.first().map(|element| label_at(&element.block, depth)) {
                let same = rest.iter().take_while(|element| label_at(&element.block, depth) == name).count().max(1);
                let (group, others) = rest.split_at(same);
                json.key(name);
                self.by_labels(json, group, depth + 1);
                rest = others;
            }
        });
    }

    /// Writes one element under its remaining labels.
    fn labelled(&self, json: &mut JsonWriter, element: &'a Element<'a>, depth: usize) {
        let default = match &element.payload {
            Payload::Hcl1Variable(variable) => variable.default.as_ref(),
            _ => None,
        };
        self.under_labels(json, &element.block, depth, default);
    }

    fn under_labels(
        &self,
        json: &mut JsonWriter,
        block: &'a Block<'a>,
        depth: usize,
        default: Option<&'a Hcl1Value>,
    ) {
        match block.labels.get(depth) {
            Some(label) => json.object(|json| {
                json.key(label.text);
                with_stack(|| self.under_labels(json, block, depth + 1, default));
            }),
            None => self.body(json, block, default),
        }
    }

    fn body(&self, json: &mut JsonWriter, block: &'a Block<'a>, default: Option<&'a Hcl1Value>) {
        if let Some(pointers) = self.pointers {
            pointers.block(block.range, json);
        }
        let mut members: BTreeMap<&str, Vec<Part<'a>>> = BTreeMap::new();
        for argument in &block.arguments {
            let is_left_out = !self.compared && self.redaction.leaves_out(argument);
            if is_left_out || self.redaction.hides_text(argument.name_span) {
                continue;
            }
            // The value of a default written in several pieces is their combination.
            let part = match default {
                _ if self.hides(argument) => Some(Part::Hidden),
                Some(plain @ (Hcl1Value::Map(_) | Hcl1Value::Bodies(_))) if argument.name == "default" => {
                    Some(Part::Whole(argument, plain))
                }
                _ => self.part(argument),
            };
            members.entry(argument.name).or_default().extend(part);
        }
        for nested in block.blocks_in_order() {
            let hidden = self.redaction.hides_text(nested.header);
            members.entry(nested.keyword).or_default().push(if hidden { Part::Hidden } else { Part::Block(nested) });
        }
        json.origin(|| Origin::block(block));
        self.members(json, members);
    }

    fn hides(&self, argument: &Argument<'_>) -> bool {
        !self.compared && self.redaction.hides_expression(argument.expr)
    }

    fn part(&self, argument: &'a Argument<'a>) -> Option<Part<'a>> {
        if self.hides(argument) {
            return Some(Part::Hidden);
        }
        let ExprAt::Native(source, id) = argument.expr else { return None };
        self.forest.native(source).map(|tree| Part::Argument(argument, tree, id))
    }

    fn argument(&self, json: &mut JsonWriter, argument: &'a Argument<'a>) {
        match self.part(argument) {
            Some(part) => self.write(json, &part),
            None => json.null(),
        }
    }

    /// Writes a body or map. Several values under one name become a list of maps.
    fn members(&self, json: &mut JsonWriter, members: BTreeMap<&str, Vec<Part<'a>>>) {
        let single = |parts: &[Part<'a>]| matches!(parts, [part] if !matches!(part, Part::Block(_)));
        let all_objects = members.values().all(|parts| single(parts) && parts.iter().all(Part::is_object));
        json.object(|json| {
            for (name, mut parts) in members {
                json.key(name);
                if !single(&parts) && !parts.iter().all(Part::is_object) {
                    // Among strings and other scalars, the last one wins.
                    parts.drain(..parts.len().saturating_sub(1));
                }
                match parts.as_slice() {
                    [part] if single(&parts) && !all_objects => self.write(json, part),
                    parts => json.array(|json| {
                        for part in parts {
                            self.write(json, part);
                        }
                    }),
                }
            }
        });
    }

    fn write(&self, json: &mut JsonWriter, part: &Part<'a>) {
        if let (Some(pointers), Part::Expr(tree, id) | Part::Argument(_, tree, id)) = (self.pointers, part) {
            pointers.argument(tree.span(tree.expr(*id).range), json);
        }
        if let (Some(pointers), Part::Whole(argument, _)) = (self.pointers, part) {
            pointers.argument(argument.range, json);
        }
        with_stack(|| match part {
            Part::Hidden => json.null(),
            Part::Expr(tree, id) => self.expr(json, tree, *id, false),
            Part::Value(plain) => self.plain(json, plain, false),
            Part::Map(map) => self.map(json, map),
            Part::Block(block) => self.under_labels(json, block, 0, None),
            Part::Argument(argument, tree, id) => {
                self.record_origin(json, argument);
                self.expr(json, tree, *id, false);
            }
            Part::Whole(argument, plain) => {
                self.record_origin(json, argument);
                self.plain(json, plain, false);
            }
        });
    }

    /// Records that the value of an argument comes next.
    fn record_origin(&self, json: &mut JsonWriter, argument: &Argument<'_>) {
        json.origin(|| Origin::argument(argument, self.redaction.hides_expression(argument.expr), Form::Template));
    }

    fn expr(&self, json: &mut JsonWriter, tree: &'a Tree, id: Id<Expr>, in_array: bool) {
        match tree.expr(id).kind {
            ExprKind::Text(text) | ExprKind::Interpolated(text) => json.str(tree.str(text)),
            ExprKind::Bool(value) => boolean(json, value, in_array),
            ExprKind::Number => match hcl1::number(tree.slice(tree.expr(id).range)) {
                Some(hcl1::Number::Whole(value)) => json.raw(&value.to_string()),
                Some(hcl1::Number::Fraction(value)) => json.raw(&format!("{value:?}")),
                None => json.null(),
            },
            ExprKind::Tuple { items, .. } => json.array(|json| {
                for &item in tree.list(items) {
                    with_stack(|| self.expr(json, tree, item, true));
                }
            }),
            ExprKind::Object { items, .. } => {
                let mut members: BTreeMap<Arc<str>, Vec<Part<'a>>> = BTreeMap::new();
                for item in tree.items(items) {
                    let ExprKind::Text(key) = tree.expr(item.key).kind else { continue };
                    members.entry(Arc::from(tree.str(key))).or_default().push(Part::Expr(tree, item.value));
                }
                let names: Vec<Arc<str>> = members.keys().cloned().collect();
                let members = names.iter().map(|name| &**name).zip(members.into_values()).collect();
                self.members(json, members);
            }
            _ => json.null(),
        }
    }

    fn plain(&self, json: &mut JsonWriter, plain: &'a Hcl1Value, in_array: bool) {
        match plain {
            Hcl1Value::Text(text) => json.str(text),
            Hcl1Value::Integer(value) => json.raw(&value.to_string()),
            Hcl1Value::Float(value) => json.raw(&format!("{value:?}")),
            Hcl1Value::Bool(value) => boolean(json, *value, in_array),
            Hcl1Value::List(items) => json.array(|json| {
                for item in items {
                    with_stack(|| self.plain(json, item, true));
                }
            }),
            Hcl1Value::Map(map) => self.map(json, map),
            Hcl1Value::Bodies(bodies) => match bodies.as_slice() {
                [map] => self.map(json, map),
                maps => json.array(|json| maps.iter().for_each(|map| self.map(json, map))),
            },
        }
    }

    fn map(&self, json: &mut JsonWriter, map: &'a Hcl1Map) {
        let members = map
            .iter()
            .map(|(key, plain)| {
                let parts = match plain {
                    Hcl1Value::Bodies(bodies) if bodies.len() != 1 => bodies.iter().map(Part::Map).collect(),
                    plain => vec![Part::Value(plain)],
                };
                (&**key, parts)
            })
            .collect();
        self.members(json, members);
    }
}

/// Writes a boolean. The tool loses booleans that are direct items of an array; it treats "1" and "0" as equivalent.
fn boolean(json: &mut JsonWriter, value: bool, in_array: bool) {
    if in_array {
        json.str(if value { "1" } else { "0" });
    } else {
        json.bool(value);
    }
}

fn label_at<'b>(block: &'b Block<'b>, depth: usize) -> &'b str {
    block.labels.get(depth).map_or("", |label| label.text)
}
