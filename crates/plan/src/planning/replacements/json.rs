//! Expressions in JSON files: strings that are templates.

use super::native::Native;
use super::{ArgumentSite, Collector, is_shown};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, Span};
use overfold_dialect::words;
use overfold_load::replacement::ReplacedPart;
use overfold_syntax::ExprAt;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree, Property};
use overfold_syntax::tree::Id;
use overfold_value::{Kind, Value, with_stack};

impl<'a> Collector<'_, '_, '_, 'a> {
    /// Looks at a value in a JSON file. With `all`, each string in it is replaced that is a template.
    pub(super) fn json(&mut self, tree: &'a JsonTree, id: Id<JsonNode>, place: &ArgumentSite<'_>, all: bool) {
        with_stack(|| match tree.node(id).kind {
            JsonKind::Text(text) if is_template(tree.str(text)) => {
                let span = tree.node(id).range.in_source(tree.source);
                let mut problems = Diagnostics::new();
                let parsed = self.forest.parse_json_template(tree.source, id, &mut problems);
                if let Some(expr) = parsed.filter(|_| !problems.has_errors()) {
                    self.string(expr, span, ReplacedPart::Text, place, all);
                }
            }
            JsonKind::Array { items, .. } => {
                for &item in tree.list(items) {
                    self.json(tree, item, place, all);
                }
            }
            JsonKind::Object { properties, .. } => {
                for property in tree.properties(properties).charged(2) {
                    self.name(tree, property, place, all);
                    let generated = generated(tree, property);
                    if generated.is_empty() {
                        self.json(tree, property.value, place, all);
                    } else {
                        // These may be dynamic blocks, whose iterators mean nothing elsewhere.
                        let bound = generated.iter().fold(place.bound.clone(), |bound, name| bound.with(name));
                        let roots = bound.roots();
                        let place = ArgumentSite { bound, roots: &roots, ..*place };
                        self.json(tree, property.value, &place, false);
                    }
                }
            }
            JsonKind::Text(_) | JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number | JsonKind::Invalid => {}
        });
    }

    fn name(&mut self, tree: &'a JsonTree, property: &Property, place: &ArgumentSite<'_>, all: bool) {
        if !is_template(tree.str(property.name)) {
            return;
        }
        let mut problems = Diagnostics::new();
        let parsed = self.forest.parse_json_name(tree.source, property, &mut problems);
        if let Some(expr) = parsed.filter(|_| !problems.has_errors()) {
            self.string(expr, property.name_range.in_source(tree.source), ReplacedPart::Name, place, all);
        }
    }

    /// Looks at a string of a JSON file.
    fn string(&mut self, expr: ExprAt, span: Span, part: ReplacedPart, place: &ArgumentSite<'_>, all: bool) {
        let ExprAt::Native(source, id) = expr else { return };
        let Some(tree) = self.forest.native(source) else { return };
        let references = self.references(expr, place);
        if references.list.is_empty() && !all {
            return;
        }
        let value = if place.stays { None } else { self.evaluate(expr, place) };
        let positions = 0..references.list.len();
        let is_text = |value: &Value| part == ReplacedPart::Text || matches!(value.kind(), Kind::Text(_));
        match value {
            Some(value) if is_shown(&value) && is_text(&value) && !references.has_left_alone(&positions) => {
                self.push(place, span, part, None, value);
            }
            None if !place.stays => {}
            value => {
                let string = Some(span);
                Native { collector: self, tree, references: &references, place, string }.parts(id, value.as_ref());
            }
        }
    }
}

fn is_template(text: &str) -> bool {
    account::touch(text.len());
    text.contains("${") || text.contains("%{")
}

/// Returns the names of the iterators of dynamic blocks, if a property may be one.
fn generated<'t>(tree: &'t JsonTree, property: &Property) -> Vec<&'t str> {
    if tree.str(property.name) != words::DYNAMIC {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut left = vec![(property.value, true)];
    while let Some((id, is_outer)) = left.pop() {
        account::work(1);
        match tree.node(id).kind {
            JsonKind::Array { items, .. } => left.extend(tree.list(items).iter().map(|&item| (item, is_outer))),
            JsonKind::Object { properties, .. } => {
                for inner in tree.properties(properties) {
                    match tree.node(inner.value).kind {
                        _ if is_outer => {
                            names.push(tree.str(inner.name));
                            left.push((inner.value, false));
                        }
                        JsonKind::Text(text) if tree.str(inner.name) == "iterator" => names.push(tree.str(text)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    names
}
