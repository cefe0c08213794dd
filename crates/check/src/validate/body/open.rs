//! Bodies without a schema: everything is evaluated, and no name is judged.
//!
//! In JSON syntax nobody knows whether a property is an argument or blocks. Either way its strings are templates, so each is
//! evaluated by itself; a property named `dynamic` may hold dynamic blocks, whose iterators are then names of their own.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::expand::{Expander, Scope};
use super::read::{BodyLevel, is_json};
use super::{BodyExpr, BoundNames, Role};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_dialect::words::{CONTENT, DYNAMIC, FOR_EACH, ITERATOR, LABELS};
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree, Property};
use overfold_syntax::tree::Id;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Value, with_stack};

/// The name of a property that is a comment in a body.
const COMMENT: &str = "//";

impl Expander<'_, '_, '_> {
    /// Evaluates the whole body.
    pub(super) fn open_body(&mut self, out: &mut Diagnostics) {
        self.open_at(BodyLevel::Whole, &Scope::outside(), out);
    }

    /// Returns the value of the whole body: an object of the arguments that are written, and for each type of blocks the
    /// tuple of their values. Blocks whose number is not known are wholly unknown.
    pub(super) fn open_value(&mut self, out: &mut Diagnostics) -> Value {
        self.value_at(BodyLevel::Whole, &Scope::outside(), out)
    }

    fn value_at(&mut self, place: BodyLevel, scope: &Scope, out: &mut Diagnostics) -> Value {
        with_stack(|| {
            let mut content = self.read(place, None, false, out);
            let mut entries: Vec<(Arc<str>, Value)> = Vec::with_capacity(content.attributes.len());
            for attribute in &content.attributes {
                if attribute.name == COMMENT && is_json(attribute.expr) {
                    continue;
                }
                let value = self.evaluate.evaluate(attribute.expr, scope.iterators.as_ref(), out);
                entries.push((Arc::from(attribute.name), value.with_marks(scope.marks)));
            }
            let sources = self.sources(&mut content, None, false, scope, out);
            let mut blocks: Vec<(&str, Option<Vec<Value>>)> = Vec::new();
            let mut positions: HashMap<&str, usize> = HashMap::default();
            for source in sources.list().charged(2) {
                let keyword = source.keyword();
                let at = *positions.entry(keyword).or_insert_with(|| {
                    blocks.push((keyword, Some(Vec::new())));
                    blocks.len() - 1
                });
                let mut found = Vec::new();
                let mut is_unknown = false;
                let _ = self.occurrences_of(source, scope, &mut |this, occurrence| {
                    if occurrence.scope.is_unknown {
                        is_unknown = true;
                        return ControlFlow::Break(());
                    }
                    let value = this.value_at(BodyLevel::Inner(occurrence.block.body), &occurrence.scope, out);
                    // The marks of the collection are those of the arguments that are written in the block, not its own.
                    account::push(&mut found, value);
                    ControlFlow::Continue(())
                });
                let Some((_, values)) = blocks.get_mut(at) else { continue };
                if is_unknown || self.is_over() {
                    *values = None;
                } else if let Some(values) = values {
                    values.append(&mut found);
                }
            }
            let blocks = blocks
                .into_iter()
                .map(|(keyword, values)| (Arc::from(keyword), values.map_or_else(Value::dynamic, Value::tuple)));
            entries.extend(blocks);
            Value::object(entries)
        })
    }

    fn open_at(&mut self, place: BodyLevel, scope: &Scope, out: &mut Diagnostics) {
        if scope.is_unknown && scope.is_only_searched {
            return;
        }
        let mut unheard = Diagnostics::new();
        let out = if scope.is_only_searched { &mut unheard } else { out };
        let mut content = self.read(place, None, false, out);
        if !scope.is_unknown {
            for attribute in &content.attributes {
                if is_json(attribute.expr) {
                    self.leaves(attribute.expr, scope, out);
                } else {
                    self.look_at(attribute.expr, scope, out);
                }
            }
        }
        let sources = self.sources(&mut content, None, false, scope, out);
        // Behind a block of which nothing is known, the tool looks at no further ones of its type.
        let mut ended: HashSet<&str> = HashSet::default();
        for source in sources.list().charged(2) {
            let keyword = source.keyword();
            let is_only_searched = scope.is_only_searched || ended.contains(keyword);
            let _ = self.occurrences_of(source, scope, &mut |this, occurrence| {
                let inside = Scope { is_only_searched, ..occurrence.scope };
                with_stack(|| this.open_at(BodyLevel::Inner(occurrence.block.body), &inside, out));
                if inside.is_unknown {
                    ended.insert(keyword);
                }
                ControlFlow::Continue(())
            });
        }
    }

    fn look_at(&mut self, expr: ExprAt, scope: &Scope, out: &mut Diagnostics) {
        self.evaluate.search(expr);
        if !scope.is_only_searched {
            self.evaluate.check(expr, scope.iterators.as_ref(), out);
        }
    }

    /// Evaluates the strings of a JSON value, apart from the content of what may be dynamic blocks.
    fn leaves(&mut self, expr: ExprAt, scope: &Scope, out: &mut Diagnostics) {
        let forest = self.reader.forest;
        let mut leaves = Vec::new();
        each_leaf(forest, expr, (&scope.bound, false), &mut |leaf| account::push(&mut leaves, leaf));
        for leaf in leaves.iter().filter(|leaf| !leaf.in_dynamic) {
            match leaf.role {
                Role::Argument => self.look_at(leaf.expr, scope, out),
                Role::DynamicForEach | Role::DynamicLabels | Role::HiddenForEach => self.evaluate.search(leaf.expr),
            }
        }
    }
}

/// Calls `visit` with each string of a JSON value, with the names that are bound around it, and whether it is in the
/// content of what may be a dynamic block. Does not recurse.
pub(super) fn each_leaf(
    forest: &Forest,
    expr: ExprAt,
    (bound, in_dynamic): (&BoundNames, bool),
    visit: &mut dyn FnMut(BodyExpr),
) {
    let ExprAt::Json(source, root) = expr else { return };
    let Some(tree) = forest.json(source) else { return };
    let mut left = vec![Part { node: root, bound: Rc::clone(bound), role: Role::Argument, in_dynamic }];
    while let Some(part) = left.pop() {
        account::work(2);
        match tree.node(part.node).kind {
            JsonKind::Text(_) => visit(BodyExpr {
                expr: ExprAt::Json(source, part.node),
                bound: part.bound,
                role: part.role,
                in_dynamic: part.in_dynamic,
                times: 1,
            }),
            JsonKind::Array { items, .. } => {
                left.extend(tree.list(items).iter().rev().map(|&node| Part { node, ..part.clone() }));
            }
            JsonKind::Object { properties, .. } => {
                for property in tree.properties(properties).iter().rev() {
                    let name = tree.str(property.name);
                    if name == COMMENT {
                        continue;
                    }
                    if name == DYNAMIC && dynamic_parts(tree, property.value, &part, &mut left).is_some() {
                        continue;
                    }
                    left.push(Part { node: property.value, ..part.clone() });
                    left.push(Part { node: property.name_node, ..part.clone() });
                }
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number | JsonKind::Invalid => {}
        }
    }
}

/// A value whose strings are still to be visited.
#[derive(Clone)]
struct Part {
    node: Id<JsonNode>,
    bound: BoundNames,
    role: Role,
    in_dynamic: bool,
}

/// Adds the parts of the value of a property `dynamic` to those left. `None` if the value cannot be dynamic blocks; then
/// nothing is added.
fn dynamic_parts(tree: &JsonTree, value: Id<JsonNode>, around: &Part, left: &mut Vec<Part>) -> Option<()> {
    let mut parts = Vec::new();
    for property in objects(tree, value)?.into_iter().flatten() {
        let made = tree.str(property.name);
        for body in objects(tree, property.value)? {
            let text = |name: &str| body.iter().find(|property| tree.str(property.name) == name);
            let iterator = match text(ITERATOR).map(|property| tree.node(property.value).kind) {
                None => made,
                Some(JsonKind::Text(text)) => tree.str(text),
                Some(_) => return None,
            };
            account::work((around.bound.len() + body.len()) as u64);
            let bound: BoundNames = around.bound.iter().cloned().chain([Arc::from(iterator)]).collect();
            for property in body {
                let node = property.value;
                parts.push(match tree.str(property.name) {
                    FOR_EACH => Part { node, role: Role::DynamicForEach, ..around.clone() },
                    LABELS => Part { node, bound: Rc::clone(&bound), role: Role::DynamicLabels, ..*around },
                    CONTENT => Part { node, bound: Rc::clone(&bound), in_dynamic: true, ..*around },
                    ITERATOR | COMMENT => continue,
                    _ => return None,
                });
            }
        }
    }
    left.extend(parts.into_iter().rev());
    Some(())
}

/// Returns the properties of an object, or of each object in an array; `None` for anything else.
fn objects(tree: &JsonTree, value: Id<JsonNode>) -> Option<Vec<&[Property]>> {
    let properties = |node: Id<JsonNode>| match tree.node(node).kind {
        JsonKind::Object { properties, .. } => Some(tree.properties(properties)),
        _ => None,
    };
    match tree.node(value).kind {
        JsonKind::Array { items, .. } => {
            account::work(items.len() as u64);
            tree.list(items).iter().map(|&item| properties(item)).collect()
        }
        _ => properties(value).map(|properties| vec![properties]),
    }
}
