//! Writes the JSON form of HCL 1 so that the tool loads it as the merged module.
//!
//! The tool unfolds what it reads: an object that contains only objects becomes one item for each of them, with one
//! more key, and an array that contains only objects becomes one item for each. That is intended for the labels of a
//! block, but would tear anything else apart; so if all members of a body or map are objects, each is written as an
//! array with one item.

use std::collections::BTreeMap;

use super::super::redaction::Redaction;
use super::expr::Form;
use super::sink::{ArgumentOrigin, ArgumentValue, ConfigSink, JsonSink};
use overfold_model::config::effective::{ContainerBlock, Section, SectionContent};
use overfold_model::config::{Argument, Block, Element, Payload};
use overfold_module::pipeline::Report;
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_syntax::{ExprAt, Forest, hcl1};
use overfold_value::{Hcl1Map, Hcl1Value, with_stack};

/// Walks the whole module.
pub(super) fn walk<'a, S: ConfigSink<'a>>(
    sink: &mut S,
    report: &'a Report<'a>,
    redaction: &Redaction<'_>,
    sections: Vec<Section<'a>>,
) {
    let walker = Walker { forest: report.forest, redaction, compared: S::IS_COMPARED };
    sink.object(|sink| {
        for section in sections {
            sink.key(section.keyword);
            walker.section(sink, &section.content);
        }
    });
}

/// A value, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hcl1Part<'a> {
    Expr(&'a Tree, Id<Expr>),
    Value(&'a Hcl1Value),
    Map(&'a Hcl1Map),
}

/// What one name of a body refers to.
enum Member<'a> {
    Hidden,
    Block(&'a Block<'a>),
    /// The value of an argument: that of its expression or, if it is written in several pieces, the combined one.
    Argument(&'a Argument<'a>, Hcl1Part<'a>),
}

/// What the value of a name is like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Block,
    Object,
    Other,
}

struct Walker<'a, 'c> {
    forest: &'a Forest,
    redaction: &'c Redaction<'c>,
    /// As [`ConfigSink::IS_COMPARED`].
    compared: bool,
}

impl<'a> Walker<'a, '_> {
    /// Writes the value of a top-level key.
    fn section<S: ConfigSink<'a>>(&self, sink: &mut S, content: &SectionContent<'a>) {
        match content {
            SectionContent::Holder(holder) => self.holder(sink, holder),
            SectionContent::Arguments(named) => {
                let mut members: BTreeMap<&str, Vec<Member<'a>>> = BTreeMap::new();
                for (name, element) in named {
                    let value = element.block.arguments.first().and_then(|argument| self.member(argument));
                    members.entry(name).or_default().extend(value);
                }
                self.members(sink, members);
            }
            SectionContent::Blocks(elements) => {
                let same =
                    |pair: &[&Element<'_>]| matches!(pair, [a, b] if a.block.label_texts().eq(b.block.label_texts()));
                if elements.windows(2).any(same) {
                    // Several configurations of one provider.
                    sink.array(|sink| elements.iter().for_each(|element| self.labelled(sink, element, 0)));
                } else {
                    self.by_labels(sink, elements, 0);
                }
            }
            // A list of blocks is never written in HCL 1.
            SectionContent::Listed(_) => sink.null(),
        }
    }

    /// Writes the value of a block that only holds others.
    fn holder<S: ConfigSink<'a>>(&self, sink: &mut S, holder: &ContainerBlock<'a>) {
        let mut keys: Vec<(&str, Result<&'a Element<'a>, &'a Argument<'a>>)> = Vec::new();
        for section in &holder.sections {
            if let SectionContent::Blocks(elements) = &section.content {
                keys.extend(elements.iter().map(|element| (section.keyword, Ok(*element))));
            }
        }
        keys.extend(holder.settings.iter().map(|setting| (setting.name, Err(*setting))));
        keys.sort_by_key(|(key, _)| *key);
        sink.object(|sink| {
            for (key, inside) in keys {
                sink.key(key);
                match inside {
                    Ok(element) => self.labelled(sink, element, 0),
                    Err(setting) => self.argument(sink, setting),
                }
            }
        });
    }

    /// Writes elements under nested objects, one level for each label. They are sorted by their labels, all of which
    /// differ.
    fn by_labels<S: ConfigSink<'a>>(&self, sink: &mut S, elements: &[&'a Element<'a>], depth: usize) {
        if let [only] = elements {
            return self.labelled(sink, only, depth);
        }
        sink.object(|sink| {
            let mut rest = elements;
            while let Some(name) = rest.first().map(|element| label_at(element.block, depth)) {
                let same = rest.iter().take_while(|element| label_at(element.block, depth) == name).count().max(1);
                let (group, others) = rest.split_at(same);
                sink.key(name);
                self.by_labels(sink, group, depth + 1);
                rest = others;
            }
        });
    }

    /// Writes one element under its remaining labels.
    fn labelled<S: ConfigSink<'a>>(&self, sink: &mut S, element: &'a Element<'a>, depth: usize) {
        let default = match &element.payload {
            Payload::Hcl1Variable(variable) => variable.default.as_ref(),
            _ => None,
        };
        self.under_labels(sink, element.block, depth, default);
    }

    fn under_labels<S: ConfigSink<'a>>(
        &self,
        sink: &mut S,
        block: &'a Block<'a>,
        depth: usize,
        default: Option<&'a Hcl1Value>,
    ) {
        match block.labels.get(depth) {
            Some(label) => sink.object(|sink| {
                sink.key(label.text);
                with_stack(|| self.under_labels(sink, block, depth + 1, default));
            }),
            None => self.body(sink, block, default),
        }
    }

    fn body<S: ConfigSink<'a>>(&self, sink: &mut S, block: &'a Block<'a>, default: Option<&'a Hcl1Value>) {
        let mut members: BTreeMap<&str, Vec<Member<'a>>> = BTreeMap::new();
        for argument in block.arguments {
            let is_left_out = !self.compared && self.redaction.leaves_out(argument);
            if is_left_out || self.redaction.hides_text(argument.name_span) {
                continue;
            }
            // The value of a default written in several pieces is their combination.
            let member = match default {
                Some(plain @ (Hcl1Value::Map(_) | Hcl1Value::Bodies(_)))
                    if argument.name == "default" && !self.hides(argument) =>
                {
                    Some(Member::Argument(argument, Hcl1Part::Value(plain)))
                }
                _ => self.member(argument),
            };
            members.entry(argument.name).or_default().extend(member);
        }
        for nested in block.blocks_in_order() {
            let hidden = self.redaction.hides_text(nested.header);
            let member = if hidden { Member::Hidden } else { Member::Block(nested) };
            members.entry(nested.keyword).or_default().push(member);
        }
        sink.block(block);
        self.members(sink, members);
    }

    fn hides(&self, argument: &Argument<'_>) -> bool {
        !self.compared && self.redaction.hides_expression(argument.expr)
    }

    fn member(&self, argument: &'a Argument<'a>) -> Option<Member<'a>> {
        if self.hides(argument) {
            return Some(Member::Hidden);
        }
        let ExprAt::Native(source, id) = argument.expr else { return None };
        self.forest.native(source).map(|tree| Member::Argument(argument, Hcl1Part::Expr(tree, id)))
    }

    fn argument<S: ConfigSink<'a>>(&self, sink: &mut S, argument: &'a Argument<'a>) {
        match self.member(argument) {
            Some(member) => self.write(sink, &member),
            None => sink.null(),
        }
    }

    fn members<S: ConfigSink<'a>>(&self, sink: &mut S, members: BTreeMap<&str, Vec<Member<'a>>>) {
        write_members(sink, members, Member::likeness, &|sink: &mut S, member| self.write(sink, member));
    }

    fn write<S: ConfigSink<'a>>(&self, sink: &mut S, member: &Member<'a>) {
        with_stack(|| match *member {
            Member::Hidden => sink.null(),
            Member::Block(block) => self.under_labels(sink, block, 0, None),
            Member::Argument(argument, value) => {
                let place = match value {
                    Hcl1Part::Expr(tree, id) => tree.span(tree.expr(id).range),
                    Hcl1Part::Value(_) | Hcl1Part::Map(_) => argument.range,
                };
                sink.place(place);
                let is_hidden = || self.redaction.hides_expression(argument.expr);
                let origin = || ArgumentOrigin::of(argument, is_hidden(), Form::Template);
                sink.argument(self.forest, origin, ArgumentValue::Hcl1(value));
            }
        });
    }
}

impl Member<'_> {
    fn likeness(&self) -> Likeness {
        match self {
            Self::Hidden => Likeness::Other,
            Self::Block(_) => Likeness::Block,
            Self::Argument(_, value) => value.likeness(),
        }
    }
}

impl Hcl1Part<'_> {
    fn likeness(&self) -> Likeness {
        let is_object = match self {
            Self::Expr(tree, id) => matches!(tree.expr(*id).kind, ExprKind::Object { .. }),
            Self::Value(Hcl1Value::Map(_)) | Self::Map(_) => true,
            Self::Value(Hcl1Value::Bodies(bodies)) => bodies.len() == 1,
            Self::Value(_) => false,
        };
        if is_object { Likeness::Object } else { Likeness::Other }
    }

    /// Passes the value on. `in_array` means that it is an item of an array.
    pub(super) fn write<S: JsonSink>(self, sink: &mut S, in_array: bool) {
        with_stack(|| match self {
            Self::Expr(tree, id) => write_expr(sink, tree, id, in_array),
            Self::Value(value) => write_value(sink, value, in_array),
            Self::Map(map) => write_map(sink, map),
        });
    }

    fn members<S: JsonSink>(sink: &mut S, members: BTreeMap<&str, Vec<Self>>) {
        write_members(sink, members, Self::likeness, &|sink: &mut S, part: &Self| part.write(sink, false));
    }
}

/// Passes on a body or map. Several values under one name become a list of maps.
fn write_members<S: JsonSink, M>(
    sink: &mut S,
    members: BTreeMap<&str, Vec<M>>,
    likeness: impl Fn(&M) -> Likeness,
    write: &impl Fn(&mut S, &M),
) {
    let single = |list: &[M]| matches!(list, [member] if likeness(member) != Likeness::Block);
    let is_object = |member: &M| likeness(member) != Likeness::Other;
    let all_objects = members.values().all(|list| single(list) && list.iter().all(is_object));
    sink.object(|sink| {
        for (name, mut list) in members {
            sink.key(name);
            if !single(&list) && !list.iter().all(is_object) {
                // Among strings and other scalars, the last one wins.
                list.drain(..list.len().saturating_sub(1));
            }
            match list.as_slice() {
                [member] if single(&list) && !all_objects => write(sink, member),
                list => sink.array(|sink| list.iter().for_each(|member| write(sink, member))),
            }
        }
    });
}

fn write_expr<S: JsonSink>(sink: &mut S, tree: &Tree, id: Id<Expr>, in_array: bool) {
    match tree.expr(id).kind {
        ExprKind::Text(text) | ExprKind::Interpolated(text) => sink.str(tree.str(text)),
        ExprKind::Bool(value) => boolean(sink, value, in_array),
        ExprKind::Number => match hcl1::number(tree.slice(tree.expr(id).range)) {
            Some(hcl1::Number::Whole(value)) => sink.scalar(&value.to_string()),
            Some(hcl1::Number::Fraction(value)) => sink.scalar(&format!("{value:?}")),
            None => sink.null(),
        },
        ExprKind::Tuple { items, .. } => sink.array(|sink| {
            for &item in tree.list(items) {
                Hcl1Part::Expr(tree, item).write(sink, true);
            }
        }),
        ExprKind::Object { items, .. } => {
            let mut members: BTreeMap<&str, Vec<Hcl1Part<'_>>> = BTreeMap::new();
            for item in tree.items(items) {
                let ExprKind::Text(key) = tree.expr(item.key).kind else { continue };
                members.entry(tree.str(key)).or_default().push(Hcl1Part::Expr(tree, item.value));
            }
            Hcl1Part::members(sink, members);
        }
        _ => sink.null(),
    }
}

fn write_value<S: JsonSink>(sink: &mut S, value: &Hcl1Value, in_array: bool) {
    match value {
        Hcl1Value::Text(text) => sink.str(text),
        Hcl1Value::Integer(value) => sink.scalar(&value.to_string()),
        Hcl1Value::Float(value) => sink.scalar(&format!("{value:?}")),
        Hcl1Value::Bool(value) => boolean(sink, *value, in_array),
        Hcl1Value::List(items) => sink.array(|sink| {
            for item in items {
                Hcl1Part::Value(item).write(sink, true);
            }
        }),
        Hcl1Value::Map(map) => write_map(sink, map),
        Hcl1Value::Bodies(bodies) => match bodies.as_slice() {
            [map] => write_map(sink, map),
            maps => sink.array(|sink| maps.iter().for_each(|map| write_map(sink, map))),
        },
    }
}

fn write_map<S: JsonSink>(sink: &mut S, map: &Hcl1Map) {
    let parts = map.iter().map(|(key, value)| {
        let parts = match value {
            Hcl1Value::Bodies(bodies) if bodies.len() != 1 => bodies.iter().map(Hcl1Part::Map).collect(),
            value => vec![Hcl1Part::Value(value)],
        };
        (&**key, parts)
    });
    Hcl1Part::members(sink, parts.collect());
}

/// Writes a boolean. The tool loses booleans that are direct items of an array; it treats "1" and "0" as equivalent.
fn boolean(sink: &mut impl JsonSink, value: bool, in_array: bool) {
    if in_array {
        sink.str(if value { "1" } else { "0" });
    } else {
        sink.bool(value);
    }
}

fn label_at<'b>(block: &'b Block<'b>, depth: usize) -> &'b str {
    block.labels.get(depth).map_or("", |label| label.text)
}
