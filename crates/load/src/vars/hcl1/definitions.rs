//! Definitions files with plain values, and values given as JSON (variables.md, section B4).

use bytes::Bytes;

use super::super::codes;
use super::{Inputs, MAP_TWICE};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_base::files::SourceRole;
use overfold_eval::hcl1;
use overfold_eval::hcl1::Entry;
use overfold_syntax::Forest;
use overfold_syntax::hcl1::{Number, number};
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::Id;
use overfold_value::{Hcl1Map, Hcl1Value, with_stack};

/// Reads a definitions file and returns its entries in order of first appearance. As in the tool, a file with an error
/// has none.
pub(super) fn read(inputs: &Inputs<'_>, path: &str, text: Bytes, out: &mut Diagnostics) -> Option<Vec<Entry>> {
    let (source, parsed) = out.watch(|out| inputs.forest.parse_hcl1(path, text, out));
    inputs.forest.sources.set_role(source, SourceRole::Definitions);
    let entries = hcl1::decode_file(inputs.forest, source, out);
    if parsed.failed() {
        return None;
    }
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let detail = format!("The variable definitions file {path:?} cannot be read: {}.", error.why);
            out.push(Diagnostic::tool(&codes::FILE_UNDECODABLE, error.at, detail));
            return None;
        }
    };
    let mut fine = true;
    for entry in &mut entries {
        if let Hcl1Value::Bodies(bodies) = &entry.value
            && bodies.len() > 1
        {
            fine = false;
            let detail = format!(
                "{:?} is assigned {} maps in one file. Maps of several files are merged, but not maps in one file: write all keys in one map.",
                entry.name,
                bodies.len()
            );
            out.push(Diagnostic::tool(&codes::MAP_TWICE, entry.at, detail).titled(MAP_TWICE));
        }
        entry.value = std::mem::replace(&mut entry.value, Hcl1Value::Bool(false)).flattened();
    }
    fine.then_some(entries)
}

/// Reads a value given as JSON. Nothing is lost here, unlike in the tool's reading of JSON files; null is an empty
/// string.
pub(super) fn of_json(forest: &Forest, json: &str, out: &mut Diagnostics) -> Option<Hcl1Value> {
    // A text in JSON syntax must be an object, so the value is read as a property of one.
    account::copy(json.len());
    let object = Bytes::from(format!("{{\"value\":{json}}}"));
    let (source, verdict) = out.watch(|out| forest.parse_json("<value>", object, out));
    forest.sources.set_role(source, SourceRole::Given);
    let tree = forest.json(source).filter(|_| verdict.is_clean())?;
    let JsonKind::Object { properties, .. } = tree.node(tree.root).kind else { return None };
    let value = tree.properties(properties).first()?.value;
    Some(json_value(tree, value, false).flattened())
}

fn json_value(tree: &JsonTree, id: Id<JsonNode>, in_list: bool) -> Hcl1Value {
    let node = tree.node(id);
    match node.kind {
        JsonKind::Null | JsonKind::Invalid => Hcl1Value::Text("".into()),
        JsonKind::Bool(value) => Hcl1Value::Bool(value),
        JsonKind::Text(text) => Hcl1Value::Text(tree.str(text).into()),
        JsonKind::Number => {
            let written = node.range.bytes_of(&tree.text);
            let written = String::from_utf8_lossy(written);
            match number(&written) {
                Some(Number::Whole(value)) => Hcl1Value::Integer(value),
                Some(Number::Fraction(value)) => Hcl1Value::Float(value),
                // A number that the tool cannot represent is kept as written.
                None => Hcl1Value::Text((*written).into()),
            }
        }
        JsonKind::Array { items, .. } => {
            let read = |&element: &Id<JsonNode>| with_stack(|| json_value(tree, element, true));
            Hcl1Value::List(tree.list(items).iter().map(read).collect())
        }
        JsonKind::Object { properties, .. } => {
            let read = |property: &overfold_syntax::json::Property| {
                let value = with_stack(|| json_value(tree, property.value, false));
                (tree.str(property.name).into(), value)
            };
            let map: Hcl1Map = tree.properties(properties).iter().map(read).collect();
            if in_list { Hcl1Value::Map(map) } else { Hcl1Value::Bodies(vec![map]) }
        }
    }
}
