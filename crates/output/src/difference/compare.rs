//! Compares two outlines.

use foldhash::{HashMap, HashSet};
use std::cell::Cell;
use std::collections::BTreeMap;

use super::super::config::{ArgumentOrigin, Form};
use super::super::redaction::Redaction;
use super::ambiguous::may_be_blocks;
use super::normal::{Reading, normalized};
use super::outline::{Origin, Outline};
use super::pairing::pairs;
use super::renames::Renames;
use super::{Change, Contents, DifferenceKind, Expression, Locations, PartChange, PartKind, Side, details};
use crate::align::{Aligned, align};
use overfold_base::account::{self, ChargedIterator, ChargedText, List};
use overfold_base::diag::Span;
use overfold_dialect::ObjectKind;
use overfold_model::body::content::ContentLabel;
use overfold_model::config::{ChangeKind as Overriding, Element, FileRole, ObjectAddr, Part};
use overfold_module::pipeline::Report;
use overfold_syntax::ExprAt;
use overfold_value::with_stack;

/// Returns the differences, sorted by address and position.
pub(super) fn changes(reports: [&Report<'_>; 2], redactions: [&Redaction<'_>; 2]) -> Vec<Change> {
    let [before, after] = reports;
    let [was, is] = redactions;
    let (first, second) = (View::of(before, was), View::of(after, is));
    let room = Cell::new(details::MAX_CONTENTS);
    let renames = Renames::between(before, after);
    let comparison = Comparison { first: &first, second: &second, renames, room };
    let at = |side: &Option<Side>, report: &Report<'_>| {
        let span = side.as_ref()?.range?;
        Some((report.forest.sources.name(span.source).to_owned(), span.start))
    };
    let mut changes = comparison.objects();
    account::work(8 * changes.len() as u64);
    changes.sort_by_cached_key(|Change { address, sides, .. }| {
        (address.clone(), at(&sides.before, before).or_else(|| at(&sides.after, after)))
    });
    changes
}

/// One side.
pub(super) struct View<'r> {
    pub(super) report: &'r Report<'r>,
    redaction: &'r Redaction<'r>,
    pub(super) outline: Outline<'r>,
    /// The elements by the header and range of their block: in a JSON file, several blocks can share a header.
    elements: HashMap<(Span, Span), &'r Element<'r>>,
    /// The elements that are arguments, by range.
    arguments: HashMap<Span, &'r Element<'r>>,
    /// The names of the override files.
    overrides: HashSet<&'r str>,
    /// The override files that removed something, by address and by name or type.
    taken: HashMap<(&'r str, &'r str), &'r str>,
}

/// An argument or a block to be compared.
#[derive(Clone, Copy)]
pub(super) struct ComparedItem {
    pub(super) node: usize,
    pub(super) origin: Origin,
}

impl<'r> View<'r> {
    fn of(report: &'r Report<'r>, redaction: &'r Redaction<'r>) -> Self {
        let files = report.module.files.iter().filter(|file| file.role == FileRole::Override);
        let gone = report.module.changes.iter().filter(|change| change.act == Overriding::Removed);
        let taken = gone.filter_map(|change| {
            let (Part::Argument(name) | Part::Block(name)) = change.part else { return None };
            Some(((change.address.text(report.forest), name), report.forest.sources.name(change.file())))
        });
        let elements = report.module.elements.iter();
        Self {
            report,
            redaction,
            outline: Outline::of(report, redaction),
            elements: elements.map(|element| ((element.block.header, element.block.range), element)).collect(),
            arguments: report.module.elements.iter().map(|element| (element.block.header, element)).collect(),
            overrides: files.map(|file| file.name.as_str()).collect(),
            taken: taken.collect(),
        }
    }

    /// Returns the outermost arguments and blocks at or below a value, in order, each with the names of the members on
    /// the way to it.
    pub(super) fn outermost(&self, node: usize) -> Vec<(Vec<&str>, ComparedItem)> {
        let mut all = List::new();
        let mut open = List::from(vec![(Vec::new(), node)]);
        while let Some((path, node)) = open.pop() {
            account::work(1 + path.len() as u64);
            if let Some(origin) = self.outline.origin(node) {
                all.push((path, ComparedItem { node, origin }));
                continue;
            }
            for &child in self.outline.children(node).iter().rev() {
                let mut path = path.clone();
                path.extend(self.outline.name(child));
                open.push((path, child));
            }
        }
        all.into_vec()
    }

    pub(super) fn element(&self, origin: Origin) -> Option<&'r Element<'r>> {
        let found = match origin {
            Origin::Block { header, range } => self.elements.get(&(header, range)),
            Origin::Argument(argument) => self.arguments.get(&argument.range?),
        };
        found.copied()
    }

    pub(super) fn text(&self, found: ComparedItem) -> &[u8] {
        self.outline.text(found.node)
    }

    /// Returns the name of the file that contains something.
    pub(super) fn file(&self, found: ComparedItem) -> Option<&'r str> {
        let sources = &self.report.forest.sources;
        found.origin.range().map(|range| sources.name(sources.in_file(range).source))
    }

    /// Returns the argument or the nested blocks with this name in a body.
    pub(super) fn member(&self, body: usize, name: &str) -> Option<usize> {
        self.outline.children(body).iter().copied().find(|child| self.outline.name(*child) == Some(name))
    }

    /// Returns a text that is the same for everything that does not differ from the value of a node.
    pub(super) fn canonical(&self, node: usize, unfolds: bool) -> Vec<u8> {
        enum Step<'t> {
            Node(usize),
            Text(&'t [u8]),
        }
        let mut out = Vec::new();
        let mut steps = vec![Step::Node(node)];
        while let Some(step) = steps.pop() {
            let node = match step {
                Step::Text(text) => {
                    out.extend_from_slice(text.touched());
                    continue;
                }
                Step::Node(node) => node,
            };
            account::work(2);
            if let Some(Origin::Argument(ArgumentOrigin { form, .. })) = self.outline.origin(node) {
                out.extend(self.outline.normal(node, Reading { form, unfolds }));
                continue;
            }
            let (start, end): (&[u8], &[u8]) = if self.outline.is_array(node) { (b"[", b"]") } else { (b"{", b"}") };
            out.extend_from_slice(start);
            steps.push(Step::Text(end));
            for &child in self.outline.children(node).iter().rev() {
                steps.push(Step::Text(b","));
                steps.push(Step::Node(child));
                if let Some(name) = self.outline.name(child) {
                    steps.push(Step::Text(b":"));
                    steps.push(Step::Text(name.as_bytes()));
                }
            }
        }
        account::grow(out.len() as u64);
        out
    }

    /// Returns the override file that contains a span.
    pub(super) fn override_file(&self, span: Option<Span>) -> Option<String> {
        let sources = &self.report.forest.sources;
        let name = sources.name(sources.in_file(span?).source);
        // The list holds names relative to the module directory.
        let known = self.overrides.contains(name)
            || name.rsplit_once('/').is_some_and(|(_, name)| self.overrides.contains(name));
        known.then(|| name.to_owned())
    }

    pub(super) fn side(&self, found: ComparedItem, hidden: bool) -> Side {
        let expression = match found.origin {
            Origin::Argument(ArgumentOrigin { expr: Some(expr), broken, hidden: own, .. }) => {
                Some(if hidden || own {
                    Expression::Hidden
                } else if broken {
                    Expression::Broken
                } else {
                    let forest = self.report.forest;
                    Expression::Source(forest.sources.in_file(forest.expr_span(expr)))
                })
            }
            _ => None,
        };
        Side {
            pointer: self.outline.pointer(found.node),
            range: found.origin.range(),
            expression,
            is_block: found.origin.is_block(),
        }
    }
}

impl Origin {
    /// The range of the whole block or argument.
    pub(super) fn range(self) -> Option<Span> {
        match self {
            Self::Block { range, .. } => Some(range),
            Self::Argument(argument) => argument.range,
        }
    }

    pub(super) const fn is_block(self) -> bool {
        matches!(self, Self::Block { .. })
    }

    const fn is_hidden(self) -> bool {
        matches!(self, Self::Argument(ArgumentOrigin { hidden: true, .. }))
    }
}

pub(super) struct Comparison<'a, 'r> {
    pub(super) first: &'a View<'r>,
    pub(super) second: &'a View<'r>,
    renames: Renames,
    /// How many more parts of blocks are kept that exist on one side only.
    pub(super) room: Cell<usize>,
}

/// The object whose parts are compared.
struct Object<'o> {
    /// The address on each side.
    addresses: [&'o str; 2],
    /// Whether the object declares a variable whose values are secret on at least one side; its default is then secret
    /// on both.
    is_secret: bool,
    /// The nested block being compared: the names on the way to it, each followed by a dot.
    within: String,
    parts: List<PartChange>,
}

/// An object with its address and kind.
#[derive(Clone)]
pub(super) struct Named<'r> {
    pub(super) address: String,
    pub(super) kind: String,
    pub(super) element: Option<&'r Element<'r>>,
    pub(super) found: ComparedItem,
}

impl<'r> Comparison<'_, 'r> {
    fn objects(&self) -> Vec<Change> {
        let mut changes = List::new();
        for pair in pairs(self.first, self.second, &self.renames, self.unfolds()) {
            let change = match pair {
                (Some(a), Some(b)) => self.object(&a, &b),
                (Some(a), None) => Some(self.one_sided(&a, DifferenceKind::Removed)),
                (None, Some(b)) => Some(self.one_sided(&b, DifferenceKind::Added)),
                (None, None) => None,
            };
            if let Some(change) = change {
                changes.push(change);
            }
        }
        changes.into_vec()
    }

    /// Describes an object that exists on one side only.
    fn one_sided(&self, named: &Named<'r>, act: DifferenceKind) -> Change {
        let view = if act == DifferenceKind::Added { self.second } else { self.first };
        let file = view.override_file(named.found.origin.range());
        let is_secret = self.is_secret_object(named.element);
        let side = Some(view.side(named.found, is_secret));
        let body = self.contents(view, act, named.found, "", is_secret);
        let sides = match act {
            DifferenceKind::Added => Locations { before: None, after: side, overrides: [None, file] },
            _ => Locations { before: side, after: None, overrides: [file, None] },
        };
        let (address, kind) = (named.address.clone(), named.kind.clone());
        Change { address, previous_address: None, kind, act, sides, parts: List::new(), body }
    }

    /// Compares an object that exists on both sides; `None` if it neither differs nor has moved.
    fn object(&self, a: &Named<'r>, b: &Named<'r>) -> Option<Change> {
        let is_secret = self.is_secret_object(a.element) || self.is_secret_object(b.element);
        let addresses = [&*a.address, &*b.address];
        let mut object = Object { addresses, is_secret, within: String::new(), parts: List::new() };
        let previous_address = is_renamed(a, b).then(|| a.address.clone());
        if previous_address.is_none() {
            self.labels(a, b, &mut object);
        }
        let name = if a.found.origin.is_block() { "" } else { "value" };
        self.pair(a.found, b.found, name, &mut object);
        let parts = object.parts;
        let act = if !parts.is_empty() {
            DifferenceKind::Changed
        } else if previous_address.is_some() || self.first.file(a.found) != self.second.file(b.found) {
            DifferenceKind::Moved
        } else {
            return None;
        };
        let mut sides = Locations {
            before: Some(self.first.side(a.found, is_secret)),
            after: Some(self.second.side(b.found, is_secret)),
            overrides: [
                self.first.override_file(a.found.origin.range()),
                self.second.override_file(b.found.origin.range()),
            ],
        };
        // The expressions are in the part.
        for side in [&mut sides.before, &mut sides.after].into_iter().flatten() {
            side.expression = None;
        }
        let body = Contents::default();
        Some(Change { address: b.address.clone(), previous_address, kind: b.kind.clone(), act, sides, parts, body })
    }

    /// Compares the labels of two objects. Most labels are in the address, and therefore equal; but the type of a
    /// backend, for example, is not.
    fn labels(&self, a: &Named<'r>, b: &Named<'r>, object: &mut Object<'_>) {
        let (Some(was), Some(is)) = (a.element, b.element) else { return };
        let labels = [was, is].map(|element| element.block.labels);
        for at in (0..labels.iter().map(|labels| labels.len()).max().unwrap_or_default()).charged(2) {
            let [old, new] = labels.map(|labels| labels.get(at));
            if old.map(|label| label.text) == new.map(|label| label.text) {
                continue;
            }
            let rows = [is, was].into_iter().filter_map(|element| element.block.spec);
            let name = rows.filter_map(|row| row.labels.get(at)).map(|label| label.name).next();
            let side = |view: &View<'r>, found: ComparedItem, label: Option<&ContentLabel<'_>>| {
                let span = view.report.forest.sources.in_file(label?.span);
                let expression = Some(Expression::Source(span));
                let pointer = view.outline.pointer(found.node);
                Some(Side { pointer, range: Some(span), expression, is_block: false })
            };
            let file = |view: &View<'r>, label: Option<&ContentLabel<'_>>| view.override_file(Some(label?.span));
            let act = match (old, new) {
                (None, _) => DifferenceKind::Added,
                (_, None) => DifferenceKind::Removed,
                _ => DifferenceKind::Changed,
            };
            let sides = Locations {
                before: side(self.first, a.found, old),
                after: side(self.second, b.found, new),
                overrides: [file(self.first, old), file(self.second, new)],
            };
            let name = name.unwrap_or("type").to_owned();
            account::grow(128 + name.len() as u64);
            object.parts.push(PartChange::of(name, PartKind::Label, act, sides));
        }
    }

    /// Whether an object is a variable whose values are hidden on either side.
    fn is_secret_object(&self, element: Option<&Element<'_>>) -> bool {
        let Some(element) = element.filter(|element| element.kind == ObjectKind::Variable) else { return false };
        let mut labels = element.block.label_texts();
        labels.next().is_some_and(|name| {
            self.first.redaction.hides_declaration(name) || self.second.redaction.hides_declaration(name)
        })
    }

    /// Compares two corresponding blocks or arguments.
    fn pair(&self, a: ComparedItem, b: ComparedItem, name: &str, object: &mut Object<'_>) {
        if self.first.outline.is_same(a.node, &self.second.outline, b.node) {
            return;
        }
        let [first, second] = [self.first, self.second];
        match (a.origin, b.origin) {
            (Origin::Block { .. }, Origin::Block { .. }) => {
                let outside = object.within.len();
                if !name.is_empty() {
                    object.within.push_str(name);
                    object.within.push('.');
                }
                with_stack(|| self.bodies(a.node, b.node, object));
                object.within.truncate(outside);
            }
            (Origin::Argument(x), Origin::Argument(y)) => {
                if first.outline.normal(a.node, self.reading(x)) != second.outline.normal(b.node, self.reading(y))
                    && !self.is_same_after_moves(x, y)
                {
                    self.part(name, DifferenceKind::Changed, Some(a), Some(b), object);
                }
            }
            (Origin::Argument(x), Origin::Block { .. }) => {
                if !self.may_be_same(x, (first, a.node), (second, b.node)) {
                    self.part(name, DifferenceKind::Changed, Some(a), Some(b), object);
                }
            }
            (Origin::Block { .. }, Origin::Argument(y)) => {
                if !self.may_be_same(y, (second, b.node), (first, a.node)) {
                    self.part(name, DifferenceKind::Changed, Some(a), Some(b), object);
                }
            }
        }
    }

    /// Whether two arguments are the same once the first one refers to what has been moved by its new address.
    fn is_same_after_moves(&self, x: ArgumentOrigin, y: ArgumentOrigin) -> bool {
        let (Some(was), Some(is)) = (x.expr, y.expr) else { return false };
        let Some(text) = self.renames.with_new_addresses(self.first.report, was) else { return false };
        let forest = self.second.report.forest;
        let other = forest.sources.text(forest.sources.in_file(forest.expr_span(is)));
        match (was, is) {
            (ExprAt::Native(..), ExprAt::Native(..)) => {
                normalized(&text, Form::Bare) == normalized(&other, Form::Bare)
            }
            (ExprAt::Json(..), ExprAt::Json(..)) => text == *other.as_ref().touched(),
            _ => false,
        }
    }

    /// Whether the argument at a node of one side may be the same as what the other side has as blocks at or below a
    /// node. Only where its syntax does not distinguish the two: a tool accepts just one of them if it does.
    fn may_be_same(
        &self,
        argument: ArgumentOrigin,
        (own, value): (&View<'_>, usize),
        (other, node): (&View<'_>, usize),
    ) -> bool {
        if self.unfolds() {
            let reading = self.reading(argument);
            return own.outline.normal(value, reading) == other.outline.normal(node, reading);
        }
        matches!(argument.expr, Some(ExprAt::Json(..)))
            && may_be_blocks(other, node, &own.outline.of_value(value), |argument| self.reading(argument))
    }

    /// Whether an argument and a block of the same name mean the same, as in HCL 1.
    fn unfolds(&self) -> bool {
        self.first.report.dialect.reads_hcl1() || self.second.report.dialect.reads_hcl1()
    }

    fn reading(&self, argument: ArgumentOrigin) -> Reading {
        Reading { form: argument.form, unfolds: self.unfolds() }
    }

    /// Compares the members of two bodies.
    fn bodies(&self, a: usize, b: usize, object: &mut Object<'_>) {
        let mut members: BTreeMap<&str, [Option<usize>; 2]> = BTreeMap::new();
        for (at, (view, body)) in [(self.first, a), (self.second, b)].into_iter().enumerate() {
            for &child in view.outline.children(body) {
                if let (Some(name), place) = (view.outline.name(child), at)
                    && let Some(slot) = members.entry(name).or_default().get_mut(place)
                {
                    *slot = Some(child);
                }
            }
        }
        let had = object.parts.len();
        for (name, sides) in members.iter().charged(4) {
            match *sides {
                [Some(a), Some(b)] => self.member(name, a, b, object),
                [Some(a), None] => {
                    for (path, found) in self.first.outermost(a) {
                        self.part(&joined(name, &path), DifferenceKind::Removed, Some(found), None, object);
                    }
                }
                [None, Some(b)] => {
                    for (path, found) in self.second.outermost(b) {
                        self.part(&joined(name, &path), DifferenceKind::Added, None, Some(found), object);
                    }
                }
                [None, None] => {}
            }
        }
        // Members are sorted unless their order matters.
        let order = |view: &View<'_>, body: usize| -> Vec<String> {
            let names = view.outline.children(body).iter().filter_map(|child| view.outline.name(*child));
            let both = names.filter(|name| members.get(name).is_some_and(|sides| sides.iter().all(Option::is_some)));
            both.map(str::to_owned).collect()
        };
        if object.parts.len() == had && order(self.first, a) != order(self.second, b) {
            let found = |view: &View<'_>, node| view.outline.origin(node).map(|origin| ComparedItem { node, origin });
            self.part("", DifferenceKind::Reordered, found(self.first, a), found(self.second, b), object);
        }
    }

    /// Compares what two bodies have under one name: an argument, blocks, or blocks under labels.
    fn member(&self, name: &str, a: usize, b: usize, object: &mut Object<'_>) {
        if self.first.outline.is_same(a, &self.second.outline, b) {
            return;
        }
        let (before, after) = (self.first.outermost(a), self.second.outermost(b));
        let argument = |list: &[(Vec<&str>, ComparedItem)]| match list {
            [(path, found)] if path.is_empty() => match found.origin {
                Origin::Argument(argument) => Some(argument),
                Origin::Block { .. } => None,
            },
            _ => None,
        };
        let same = match (argument(&before), argument(&after)) {
            (Some(argument), None) => Some(self.may_be_same(argument, (self.first, a), (self.second, b))),
            (None, Some(argument)) => Some(self.may_be_same(argument, (self.second, b), (self.first, a))),
            _ => None,
        };
        if let Some(same) = same {
            if !same {
                let first = |list: &[(Vec<&str>, ComparedItem)]| list.first().map(|(_, found)| *found);
                self.part(name, DifferenceKind::Changed, first(&before), first(&after), object);
            }
            return;
        }
        let had = object.parts.len();
        let mut groups: BTreeMap<&[&str], [List<ComparedItem>; 2]> = BTreeMap::new();
        for (at, list) in [&before, &after].into_iter().enumerate() {
            for (path, found) in list {
                if let Some(side) = groups.entry(path).or_default().get_mut(at) {
                    side.push(*found);
                }
            }
        }
        for (path, [a, b]) in groups {
            let name = joined(name, path);
            let (was, is): (Vec<_>, Vec<_>) = (
                a.iter().map(|one| self.first.text(*one)).collect(),
                b.iter().map(|one| self.second.text(*one)).collect(),
            );
            for pair in align(&was, &is) {
                match pair {
                    Aligned::Both(x, y) => {
                        if let (Some(&x), Some(&y)) = (a.get(x), b.get(y)) {
                            self.pair(x, y, &name, object);
                        }
                    }
                    Aligned::First(x) => self.part(&name, DifferenceKind::Removed, a.get(x).copied(), None, object),
                    Aligned::Second(y) => self.part(&name, DifferenceKind::Added, None, b.get(y).copied(), object),
                }
            }
        }
        let order = |list: &[(Vec<&str>, ComparedItem)]| -> Vec<Vec<String>> {
            list.iter().map(|(path, _)| path.iter().map(|key| (*key).to_owned()).collect()).collect()
        };
        let reordered = object.parts.len() == had && order(&before) != order(&after);
        if let (true, Some((_, x)), Some((_, y))) = (reordered, before.first(), after.first()) {
            self.part(name, DifferenceKind::Reordered, Some(*x), Some(*y), object);
        }
    }

    fn part(
        &self,
        name: &str,
        act: DifferenceKind,
        a: Option<ComparedItem>,
        b: Option<ComparedItem>,
        object: &mut Object<'_>,
    ) {
        let hidden = [a, b].into_iter().flatten().any(|found| found.origin.is_hidden())
            || object.is_secret && matches!(name, "default" | "type");
        let [was, is] = object.addresses;
        let file = |view: &View<'_>, address: &str, found: Option<ComparedItem>| match found {
            Some(found) => view.override_file(found.origin.range()),
            // The part may be missing because an override removed it.
            None => view.taken.get(&(address, name)).map(|file| (*file).to_owned()),
        };
        let sides = Locations {
            overrides: [file(self.first, was, a), file(self.second, is, b)],
            before: a.map(|found| self.first.side(found, hidden)),
            after: b.map(|found| self.second.side(found, hidden)),
        };
        let is_block = [a, b].into_iter().flatten().all(|found| found.origin.is_block());
        let what = if is_block { PartKind::Block } else { PartKind::Argument };
        let name = format!("{}{name}", object.within).trim_end_matches('.').to_owned();
        account::grow(128 + name.len() as u64);
        let within = format!("{name}.");
        let body = match (a, b) {
            (Some(found), None) => self.contents(self.first, act, found, &within, false),
            (None, Some(found)) => self.contents(self.second, act, found, &within, false),
            _ => Contents::default(),
        };
        let items = match (a, b) {
            (Some(a), Some(b)) if act == DifferenceKind::Changed && !hidden => self.items(a, b),
            _ => Vec::new(),
        };
        object.parts.push(PartChange { body, items, ..PartChange::of(name, what, act, sides) });
    }
}

/// Whether blocks have moved an object: nothing else pairs resources or calls of modules with different addresses.
fn is_renamed(a: &Named<'_>, b: &Named<'_>) -> bool {
    let can_move = |named: &Named<'_>| {
        let address = named.element.map(|element| element.address);
        matches!(address, Some(ObjectAddr::Resource { .. } | ObjectAddr::ModuleCall(_)))
    };
    can_move(a) && can_move(b) && a.address != b.address
}

/// Joins the type and the labels of a block.
pub(super) fn joined(name: &str, path: &[&str]) -> String {
    let mut text = name.to_owned();
    for key in path {
        text.push('.');
        text.push_str(key);
    }
    account::touch(text.len());
    text
}
