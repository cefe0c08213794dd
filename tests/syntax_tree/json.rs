//! Writes the value tree of a JSON text, for `overfold parse` and the syntax cases.

use super::number::plain_decimal;
use super::{range_text, template};
use overfold_cli::diag::TextRange;
use overfold_cli::output::{Container, JsonWriter};
use overfold_cli::syntax::Forest;
use overfold_cli::syntax::json::{JsonKind, JsonNode, JsonTree, Property};
use overfold_cli::syntax::tree::Id;

/// An object or array that has not ended yet.
enum Open<'t> {
    Array(std::slice::Iter<'t, Id<JsonNode>>),
    Object(std::slice::Iter<'t, Property>),
}

/// Writes the tree of a JSON source as one value: `object` (properties in order, duplicates kept), `array`,
/// `literal` (a string that holds a template marker with its parse as a template) and `invalid`.
pub(super) fn write_tree(json: &mut JsonWriter, forest: &Forest, tree: &JsonTree) {
    // An explicit stack: a text may be nested deeper than the thread's stack allows.
    let mut open: Vec<Open<'_>> = Vec::new();
    begin(json, forest, tree, tree.root, &mut open);
    while let Some(top) = open.last_mut() {
        let next = match top {
            Open::Array(items) => items.next().copied(),
            Open::Object(properties) => properties.next().map(|property| {
                json.begin(Container::Object);
                json.member("name", tree.str(property.name));
                range(json, forest, tree, "name_range", property.name_range);
                json.key("value");
                property.value
            }),
        };
        let finished = next.is_none();
        if let Some(id) = next {
            begin(json, forest, tree, id, &mut open);
        }
        if finished {
            json.end(Container::Array);
            json.end(Container::Object);
            open.pop();
            close_property(json, &open);
        }
    }
}

/// Writes a value, up to the start of its items if it has any.
fn begin<'t>(json: &mut JsonWriter, forest: &Forest, tree: &'t JsonTree, id: Id<JsonNode>, open: &mut Vec<Open<'t>>) {
    let node = tree.node(id);
    json.begin(Container::Object);
    let kind = match node.kind {
        JsonKind::Object { .. } => "object",
        JsonKind::Array { .. } => "array",
        JsonKind::Invalid => "invalid",
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number | JsonKind::Text(_) => "literal",
    };
    json.member("kind", kind);
    range(json, forest, tree, "range", node.range);
    match node.kind {
        JsonKind::Array { items, .. } => {
            json.key("items");
            json.begin(Container::Array);
            open.push(Open::Array(tree.list(items).iter()));
            return;
        }
        JsonKind::Object { properties, open: brace, .. } => {
            range(json, forest, tree, "start_range", brace);
            json.key("properties");
            json.begin(Container::Array);
            open.push(Open::Object(tree.properties(properties).iter()));
            return;
        }
        JsonKind::Null => {
            json.member("type", "null");
            json.key("value");
            json.null();
        }
        JsonKind::Bool(value) => {
            json.member("type", "bool");
            json.key("value");
            json.bool(value);
        }
        JsonKind::Number => {
            json.member("type", "number");
            json.member("value", &plain_decimal(&tree.text, node.range));
        }
        JsonKind::Text(text) => {
            let text = tree.str(text);
            json.member("type", "string");
            json.member("value", text);
            if text.contains("${") || text.contains("%{") {
                json.key("template");
                template(json, forest, tree.source, id);
            }
        }
        JsonKind::Invalid => {}
    }
    json.end(Container::Object);
    close_property(json, open);
}

/// Ends the property that a completed value belongs to.
fn close_property(json: &mut JsonWriter, open: &[Open<'_>]) {
    if let Some(Open::Object(_)) = open.last() {
        json.end(Container::Object);
    }
}

fn range(json: &mut JsonWriter, forest: &Forest, tree: &JsonTree, name: &str, range: TextRange) {
    json.member(name, &range_text(forest, range.in_source(tree.source)));
}
