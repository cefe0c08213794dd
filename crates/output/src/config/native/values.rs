//! Writes values in native syntax: those of native files as they are; those of JSON files, and those that no single
//! expression represents, in our own formatting.
//!
//! hcl-rs formats values that replace expressions ([`crate::resolved`]). Here it would not do: it cannot keep an expression
//! as it is written. The tests parse every text with it for a second opinion.

use bytes::Bytes;

use super::super::super::json::JsonWriter;
use super::super::super::redaction::{LEFT_OUT, VALUE};
use super::super::expr::{self, Form};
use super::super::quoting::quoted_literal;
use super::super::tf_json::Surroundings;
use super::super::type_text;
use super::NativeText;
use super::patch::apply;
use overfold_base::diag::{Diagnostics, SourceId, Span};
use overfold_dialect::AttrKind;
use overfold_model::config::effective::EffectiveValue;
use overfold_model::config::secrets::is_json;
use overfold_model::config::{Argument, Block};
use overfold_syntax::json::{self, JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_syntax::{ExprAt, SyntaxLimits, hcl1};
use overfold_value::with_stack;

/// The deepest indentation of a line, in spaces.
const MAX_INDENT: usize = 64;

impl<'a> NativeText<'a> {
    /// Returns the tree of a file in native syntax; `None` if the file is in JSON.
    pub(super) fn native_tree(&self, source: SourceId) -> Option<&'a Tree> {
        let tree = self.forest.native(source)?;
        let file = self.forest.sources.get(source)?;
        (!is_json(file, Some(tree))).then_some(tree)
    }

    /// Returns a range of a native file, with secrets hidden.
    pub(super) fn slice(&self, span: Span) -> String {
        let Some(source) = self.forest.sources.get(span.source) else { return String::new() };
        let cuts = self.redaction.masks(span.source).cuts(span.range());
        String::from_utf8_lossy(&apply(&source.text, span.range().indexes(), Vec::new(), cuts)).into_owned()
    }

    /// Returns `name = value`, or a comment if the argument is left out.
    pub(super) fn assignment(&self, block: &Block<'_>, argument: &Argument<'_>, around: Surroundings) -> String {
        if self.redaction.leaves_out(argument) {
            return LEFT_OUT.to_owned();
        }
        let as_written = self.native_tree(argument.range.source).is_some()
            && self.merged_value(block, argument).is_none()
            && self.bound_value(argument).is_none()
            && argument.range.start == argument.name_span.start;
        if as_written {
            return self.slice(argument.range);
        }
        format!("{} = {}", name(argument.name), self.value(block, argument, around))
    }

    /// Returns the value of an argument of a merged block.
    pub(super) fn value(&self, block: &Block<'_>, argument: &Argument<'_>, around: Surroundings) -> String {
        if let Some(merged) = self.merged_value(block, argument) {
            return merged;
        }
        if self.redaction.hides_expression(argument.expr) && self.native_tree(argument.range.source).is_none() {
            return self.without_secrets(argument);
        }
        if let Some(value) = self.bound_value(argument) {
            return value;
        }
        self.expression(argument.expr, around.form(argument))
    }

    /// Returns what stands for a hidden value: a type without the defaults in it, otherwise null.
    fn without_secrets(&self, argument: &Argument<'_>) -> String {
        let is_type = argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::TypeConstraint(_)));
        let shown = is_type && !self.redaction.hides_damaged(argument.range);
        let text = shown.then(|| type_text::without_defaults(self.forest, argument)).flatten();
        text.unwrap_or_else(|| VALUE.to_owned())
    }

    /// Returns the value that expansion has bound to an argument.
    fn bound_value(&self, argument: &Argument<'_>) -> Option<String> {
        let bound = argument.value.filter(|value| !self.redaction.hides_value(value))?;
        Some(self.json_text(&bound.to_json().ok()?))
    }

    /// Returns the value of an argument if its own expression does not represent it; `None` if it does.
    pub(super) fn merged_value(&self, block: &Block<'_>, argument: &Argument<'_>) -> Option<String> {
        let effective = self.config.effective_value(block, argument);
        if let EffectiveValue::Itself = effective {
            return None;
        }
        if self.redaction.leaves_out(argument) {
            return None;
        }
        if self.redaction.hides_argument(argument) {
            return Some(self.without_secrets(argument));
        }
        match effective {
            EffectiveValue::Itself => None,
            EffectiveValue::MergedType => type_text::merged(self.forest, block, argument),
            EffectiveValue::Default(variable) => {
                let merged = variable.default()?.to_json().ok()?;
                let mut own = JsonWriter::default();
                expr::write(&mut own, self.forest, argument.expr, Form::Literal);
                (own.into_bytes() != merged.as_bytes()).then(|| self.json_text(&merged))
            }
        }
    }

    /// Returns an expression in native syntax.
    pub(super) fn expression(&self, at: ExprAt, form: Form) -> String {
        match at {
            ExprAt::Native(source, id) => match self.native_tree(source) {
                Some(_) => self.slice(self.forest.expr_span(at)),
                None => self.forest.native(source).map_or_else(String::new, |tree| {
                    let mut out = String::new();
                    hcl1_value(&mut out, tree, id);
                    out
                }),
            },
            ExprAt::Json(source, id) => match self.forest.json(source) {
                Some(tree) => {
                    let mut out = String::new();
                    self.json(&mut out, tree, id, form, "  ");
                    out
                }
                None => "null".to_owned(),
            },
        }
    }

    /// Converts a JSON text whose strings are literal.
    fn json_text(&self, text: &str) -> String {
        let bytes = Bytes::copy_from_slice(text.as_bytes());
        let (tree, _) = json::parse(SourceId::NOWHERE, bytes, SyntaxLimits::default(), &mut Diagnostics::new());
        let mut out = String::new();
        self.json(&mut out, &tree, tree.root, Form::Literal, "  ");
        out
    }

    fn json(&self, out: &mut String, tree: &JsonTree, id: Id<JsonNode>, form: Form, indent: &str) {
        with_stack(|| self.json_here(out, tree, id, form, indent));
    }

    fn json_here(&self, out: &mut String, tree: &JsonTree, id: Id<JsonNode>, form: Form, indent: &str) {
        let node = tree.node(id);
        if tree.source != SourceId::NOWHERE && self.redaction.hides_text(node.range.in_source(tree.source)) {
            // Only if all of it is hidden; the parts of a list or an object are checked individually.
            if !matches!(node.kind, JsonKind::Array { .. } | JsonKind::Object { .. }) {
                out.push_str(VALUE);
                return;
            }
        }
        // In deep values, indentation would take up more space than content.
        let deeper = if indent.len() < MAX_INDENT { format!("{indent}  ") } else { indent.to_owned() };
        match node.kind {
            JsonKind::Null | JsonKind::Invalid => out.push_str("null"),
            JsonKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            JsonKind::Number => {
                let digits = node.range.bytes_of(&tree.text);
                out.push_str(&String::from_utf8_lossy(digits));
            }
            JsonKind::Text(text) => out.push_str(&match form {
                Form::Bare => bare(tree.str(text)),
                Form::Literal => quoted_literal(tree.str(text)),
                Form::Template => self.template(tree, id, tree.str(text)),
            }),
            JsonKind::Array { items, .. } => {
                let items = tree.list(items);
                let long = items.iter().any(|&item| !is_scalar(tree, item));
                out.push('[');
                for (at, &item) in items.iter().enumerate() {
                    separate(out, at, long, &deeper);
                    self.json(out, tree, item, form, &deeper);
                }
                close(out, "]", long && !items.is_empty(), indent);
            }
            JsonKind::Object { properties, .. } => {
                let properties = tree.properties(properties);
                out.push('{');
                for property in properties {
                    out.push('\n');
                    out.push_str(&deeper);
                    let key = tree.str(property.name);
                    match form {
                        Form::Bare => out.push_str(key),
                        _ if is_identifier(key) => out.push_str(key),
                        Form::Literal => out.push_str(&quoted_literal(key)),
                        Form::Template => {
                            let parsed = self.forest.parse_json_name(tree.source, property, &mut Diagnostics::new());
                            let text = parsed.and_then(|at| expr::quoted_template(self.forest, at));
                            let text = text.unwrap_or_else(|| quoted_literal(key));
                            // A key that is an expression must be in parentheses.
                            let in_quotes = text.starts_with('"');
                            out.push_str(if in_quotes { "" } else { "(" });
                            out.push_str(&text);
                            out.push_str(if in_quotes { "" } else { ")" });
                        }
                    }
                    out.push_str(" = ");
                    self.json(out, tree, property.value, form, &deeper);
                }
                close(out, "}", !properties.is_empty(), indent);
            }
        }
    }

    fn template(&self, tree: &JsonTree, id: Id<JsonNode>, text: &str) -> String {
        if !text.contains("${") && !text.contains("%{") {
            return quoted_literal(text);
        }
        let parsed = self.forest.parse_json_template(tree.source, id, &mut Diagnostics::new());
        parsed.and_then(|at| expr::quoted_template(self.forest, at)).unwrap_or_else(|| quoted_literal(text))
    }
}

/// Writes a value of HCL 1 that comes from a JSON file.
fn hcl1_value(out: &mut String, tree: &Tree, id: Id<Expr>) {
    let expr = tree.expr(id);
    with_stack(|| match expr.kind {
        ExprKind::Number => match hcl1::number(tree.slice(expr.range)) {
            Some(hcl1::Number::Whole(whole)) => out.push_str(&whole.to_string()),
            Some(hcl1::Number::Fraction(fraction)) => out.push_str(&fraction.to_string()),
            None => out.push('0'),
        },
        ExprKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ExprKind::Text(text) | ExprKind::Interpolated(text) => out.push_str(&hcl1_text(tree.str(text))),
        ExprKind::Tuple { items, .. } => {
            out.push('[');
            for (at, &item) in tree.list(items).iter().enumerate() {
                separate(out, at, false, "");
                hcl1_value(out, tree, item);
            }
            out.push(']');
        }
        ExprKind::Object { items, .. } => {
            out.push('{');
            for item in tree.items(items) {
                out.push('\n');
                let key = match tree.expr(item.key).kind {
                    ExprKind::Text(text) | ExprKind::Interpolated(text) => tree.str(text),
                    _ => tree.slice(tree.expr(item.key).range),
                };
                out.push_str(&hcl1_text(key));
                out.push_str(" = ");
                hcl1_value(out, tree, item.value);
            }
            out.push_str("\n}");
        }
        _ => out.push_str("\"\""),
    });
}

/// Returns a string of HCL 1; the content of an interpolation stays as it is.
fn hcl1_text(text: &str) -> String {
    let mut out = String::from("\"");
    let mut depth = 0_u32;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '$' if letters.peek() == Some(&'{') => {
                letters.next();
                depth += 1;
                out.push_str("${");
                continue;
            }
            '{' if depth > 0 => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '"' | '\\' if depth == 0 => out.push('\\'),
            '\n' if depth == 0 => {
                out.push_str("\\n");
                continue;
            }
            _ => {}
        }
        out.push(letter);
    }
    out.push('"');
    out
}

/// Returns a reference, keyword, address or type from a JSON file without quotes. Old modules wrap it in an
/// interpolation.
fn bare(text: &str) -> String {
    let inner = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    inner.map_or(text, str::trim).to_owned()
}

fn is_scalar(tree: &JsonTree, id: Id<JsonNode>) -> bool {
    !matches!(tree.node(id).kind, JsonKind::Array { .. } | JsonKind::Object { .. })
}

fn separate(out: &mut String, at: usize, long: bool, indent: &str) {
    if at > 0 {
        out.push_str(if long { "," } else { ", " });
    }
    if long {
        out.push('\n');
        out.push_str(indent);
    }
}

fn close(out: &mut String, bracket: &str, long: bool, indent: &str) {
    if long {
        out.push('\n');
        out.push_str(indent.strip_suffix("  ").map_or("", |_| indent));
    }
    out.push_str(bracket);
}

/// Returns a name for use as an argument name or block type.
pub(super) fn name(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted_literal(name) }
}

/// Whether a name can be written without quotes.
pub(crate) fn is_identifier(text: &str) -> bool {
    overfold_model::language::names::is_identifier(text) && !matches!(text, "true" | "false" | "null" | "for")
}
