//! What is shown of a difference beyond its place: the body of a block that exists on one side only, and the items of a list
//! that differ.

use std::collections::BTreeMap;

use super::super::config::ArgumentOrigin;
use super::compare::{ComparedItem, Comparison, View, joined};
use super::outline::Origin;
use super::{Contents, DifferenceKind, ItemChange, Locations, PartChange, PartKind};
use crate::align::{Aligned, align};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostics, Span};
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::with_stack;

/// The most parts of blocks on one side only that one difference keeps: a tree of modules that is new is not repeated.
pub(super) const MAX_CONTENTS: usize = 20_000;

impl PartChange {
    /// A part of which nothing more is shown.
    pub(super) const fn of(name: String, what: PartKind, act: DifferenceKind, sides: Locations) -> Self {
        Self { name, what, act, sides, body: Contents { parts: List::new(), more: 0 }, items: Vec::new() }
    }
}

impl Comparison<'_, '_> {
    /// Returns what a block contains that exists on one side only. `within` are the names of the blocks around it that a
    /// part is named after; `is_secret` says that the block declares a variable whose values are hidden.
    pub(super) fn contents(
        &self,
        view: &View<'_>,
        act: DifferenceKind,
        found: ComparedItem,
        within: &str,
        is_secret: bool,
    ) -> Contents {
        let mut contents = Contents::default();
        if found.origin.is_block() {
            self.add_contents(view, act, found.node, (within, is_secret), &mut contents);
        }
        contents
    }

    fn add_contents(
        &self,
        view: &View<'_>,
        act: DifferenceKind,
        node: usize,
        (within, is_secret): (&str, bool),
        contents: &mut Contents,
    ) {
        for &child in view.outline.children(node).charged(4) {
            let member = view.outline.name(child).unwrap_or_default();
            for (path, found) in view.outermost(child).charged(4) {
                let own = joined(member, &path);
                let hidden = is_secret && matches!(&*own, "default" | "type");
                let name = format!("{within}{own}");
                let inner = format!("{name}.");
                if self.room.get() == 0 {
                    contents.more = contents.more.saturating_add(1);
                } else {
                    self.room.set(self.room.get() - 1);
                    let (side, file) = (Some(view.side(found, hidden)), view.override_file(found.origin.range()));
                    let sides = match act {
                        DifferenceKind::Added => Locations { before: None, after: side, overrides: [None, file] },
                        _ => Locations { before: side, after: None, overrides: [file, None] },
                    };
                    let what = if found.origin.is_block() { PartKind::Block } else { PartKind::Argument };
                    account::grow(192 + name.len() as u64);
                    contents.parts.push(PartChange::of(name, what, act, sides));
                }
                if found.origin.is_block() {
                    with_stack(|| self.add_contents(view, act, found.node, (&inner, false), contents));
                }
            }
        }
    }

    /// Returns the items that differ of two arguments, if both are lists or objects that are written out and have an item in
    /// common.
    pub(super) fn items(&self, a: ComparedItem, b: ComparedItem) -> Vec<ItemChange> {
        let (Some(was), Some(is)) = (written(a), written(b)) else { return Vec::new() };
        let forests = [self.first.report.forest, self.second.report.forest];
        let [old, new] = forests;
        match (list(old, was), list(new, is)) {
            (Some(was), Some(is)) => list_items(&Items::of(old, was), &Items::of(new, is)),
            _ => match (object(old, was), object(new, is)) {
                (Some(was), Some(is)) => object_items(&was, &is, forests),
                _ => Vec::new(),
            },
        }
    }
}

/// Returns the expression of an argument that can be read.
fn written(found: ComparedItem) -> Option<ExprAt> {
    match found.origin {
        Origin::Argument(ArgumentOrigin { expr, broken: false, hidden: false, .. }) => expr,
        _ => None,
    }
}

/// Returns the elements of a list, also of one that is converted to a list or set.
fn list(forest: &Forest, expr: ExprAt) -> Option<Vec<ExprAt>> {
    if let Some(items) = statics::written_list(forest, expr) {
        return Some(items);
    }
    let call = statics::static_call(forest, expr, &mut Diagnostics::new())?;
    match call.args.as_slice() {
        [only] if matches!(call.name, "toset" | "tolist") => statics::written_list(forest, *only),
        _ => None,
    }
}

/// Returns the items of an object by their keys as written, without quotes; `None` if a key occurs twice.
fn object(forest: &Forest, expr: ExprAt) -> Option<BTreeMap<String, Span>> {
    let items = statics::written_map(forest, expr)?;
    let mut all = BTreeMap::new();
    for (key, value) in items {
        let key = text(forest, span(forest, key));
        account::grow(key.len() as u64 + 96);
        if all.insert(key.trim_matches('"').to_owned(), span(forest, value)).is_some() {
            return None;
        }
    }
    Some(all)
}

fn span(forest: &Forest, expr: ExprAt) -> Span {
    forest.sources.in_file(forest.expr_span(expr))
}

/// Returns a text in which only the words count, not the white space between them.
fn text(forest: &Forest, span: Span) -> String {
    let text = forest.sources.text(span);
    account::touch(text.len() * 2);
    account::grow(text.len() as u64);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The items of a list.
struct Items {
    texts: Vec<String>,
    spans: Vec<Span>,
}

impl Items {
    fn of(forest: &Forest, items: Vec<ExprAt>) -> Self {
        let spans: Vec<Span> = items.into_iter().map(|item| span(forest, item)).collect();
        account::grow(64 * spans.len() as u64);
        Self { texts: spans.iter().map(|span| text(forest, *span)).collect(), spans }
    }

    fn bytes(&self) -> Vec<&[u8]> {
        self.texts.iter().map(String::as_bytes).collect()
    }
}

fn list_items(was: &Items, is: &Items) -> Vec<ItemChange> {
    let pairs = align(&was.bytes(), &is.bytes());
    let is_same = |pair: &&Aligned| matches!(pair, Aligned::Both(x, y) if was.texts.get(*x) == is.texts.get(*y));
    if !pairs.iter().any(|pair| is_same(&pair)) {
        return Vec::new();
    }
    let item = |pair: &Aligned| {
        let (act, x, y) = match *pair {
            Aligned::Both(x, y) => (DifferenceKind::Changed, Some(x), Some(y)),
            Aligned::First(x) => (DifferenceKind::Removed, Some(x), None),
            Aligned::Second(y) => (DifferenceKind::Added, None, Some(y)),
        };
        let before = x.and_then(|at| was.spans.get(at)).copied();
        let after = y.and_then(|at| is.spans.get(at)).copied();
        ItemChange { key: None, act, before, after }
    };
    let items: Vec<ItemChange> = pairs.iter().filter(|pair| !is_same(pair)).map(item).collect();
    account::grow(96 * items.len() as u64);
    items
}

fn object_items(
    was: &BTreeMap<String, Span>,
    is: &BTreeMap<String, Span>,
    [old, new]: [&Forest; 2],
) -> Vec<ItemChange> {
    let mut items = Vec::new();
    let mut has_same = false;
    for (key, before) in was.iter().charged_at_once(8) {
        let after = is.get(key).copied();
        if after.is_some_and(|after| text(old, *before) == text(new, after)) {
            has_same = true;
            continue;
        }
        let act = if after.is_some() { DifferenceKind::Changed } else { DifferenceKind::Removed };
        account::grow(96 + key.len() as u64);
        items.push(ItemChange { key: Some(key.clone()), act, before: Some(*before), after });
    }
    for (key, after) in is.iter().charged_at_once(8).filter(|(key, _)| !was.contains_key(*key)) {
        account::grow(96 + key.len() as u64);
        items.push(ItemChange {
            key: Some(key.clone()),
            act: DifferenceKind::Added,
            before: None,
            after: Some(*after),
        });
    }
    if has_same { items } else { Vec::new() }
}
