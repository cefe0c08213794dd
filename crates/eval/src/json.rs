//! Evaluation of JSON values as expressions (syntax.md, section 6; variables.md, section A3).

use std::collections::HashMap;
use std::sync::Arc;

use super::{Evaluator, JsonStrings, codes, error, within_limits};
use overfold_base::diag::{Diagnostics, Reporting, SourceId, Verdict};
use overfold_syntax::ExprAt;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree, Property};
use overfold_syntax::tree::{Id, Ids};
use overfold_value::{Marks, Number, Type, Value, convert};

impl Evaluator<'_, '_> {
    pub(super) fn json(&mut self, source: SourceId, id: Id<JsonNode>, out: &mut Diagnostics) -> Value {
        let Some(tree) = self.env.forest.json(source) else { return Value::dynamic() };
        let node = tree.node(id);
        match node.kind {
            JsonKind::Null => Value::untyped_null(),
            JsonKind::Bool(value) => Value::bool(value),
            JsonKind::Number => {
                let digits = node.range.bytes_of(&tree.text);
                let number = std::str::from_utf8(digits).ok().and_then(|digits| Number::parse(digits).ok());
                number.map_or_else(Value::dynamic, Value::number)
            }
            JsonKind::Text(text) => match self.env.scope.json {
                JsonStrings::Plain => Value::text(tree.str(text)),
                JsonStrings::Templates => {
                    match out.watch(|out| self.env.forest.parse_json_template(source, id, out)) {
                        (Some(expr), Verdict::Clean) => self.expression(expr, out),
                        _ => Value::dynamic(),
                    }
                }
            },
            JsonKind::Array { items, .. } => {
                let values =
                    tree.list(items).iter().map(|item| self.expression(ExprAt::Json(source, *item), out)).collect();
                within_limits(Value::tuple(values))
            }
            JsonKind::Object { properties, .. } => self.json_object(tree, properties, out),
            JsonKind::Invalid => Value::dynamic(),
        }
    }

    fn json_object(&mut self, tree: &JsonTree, properties: Ids<Property>, out: &mut Diagnostics) -> Value {
        let mut entries: HashMap<Arc<str>, Value> = HashMap::new();
        let mut known = true;
        let mut doubt = Marks::NONE;
        for property in tree.properties(properties) {
            let key = self.json_key(tree, property, out);
            let value = self.expression(ExprAt::Json(tree.source, property.value), out);
            let place = property.name_range.in_source(tree.source);
            doubt = doubt.and(key.marks().doubt());
            if key.marks().is_inexact() && convert(&key, &Type::String).map_or(true, |key| key.is_null()) {
                known = false;
                continue;
            }
            let key = match convert(&key, &Type::String) {
                Ok(key) if key.is_null() => {
                    out.push(error(
                        &codes::INVALID_JSON_KEY,
                        place,
                        "A property name must be a string, but this template is null.",
                    ));
                    continue;
                }
                Ok(key) => key,
                Err(problem) => {
                    let detail = format!("The property name is not valid: {problem}.");
                    out.push(error(&codes::INVALID_JSON_KEY, place, detail));
                    continue;
                }
            };
            let Some(name) = key.as_shared_text() else {
                known = false;
                continue;
            };
            if entries.contains_key(name) && !doubt.is_empty() {
                continue;
            }
            if entries.contains_key(name) {
                let detail = format!(
                    "The object has two properties named \"{name}\", and the second one is ignored. Remove or rename one of them."
                );
                out.push(error(&codes::DUPLICATE_JSON_KEY, place, detail));
                continue;
            }
            entries.insert(Arc::clone(name), value);
        }
        if !known {
            return Value::dynamic().with_marks(doubt);
        }
        let mut entries: Vec<(Arc<str>, Value)> = entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        within_limits(Value::object(entries)).with_marks(doubt)
    }

    fn json_key(&mut self, tree: &JsonTree, property: &Property, out: &mut Diagnostics) -> Value {
        let name = tree.str(property.name);
        let template = name.contains("${") || name.contains("%{");
        if self.env.scope.json == JsonStrings::Plain || !template {
            return Value::text(name);
        }
        match out.watch(|out| self.env.forest.parse_json_name(tree.source, property, out)) {
            (Some(expr), Verdict::Clean) => self.expression(expr, out),
            _ => Value::dynamic(),
        }
    }
}
