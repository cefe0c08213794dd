//! Writes expressions in Terraform's JSON configuration syntax with the same meaning (terraform.md, section 9).

mod template;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use smallvec::SmallVec;

use super::quoting::quoted_literal;
use super::sink::JsonSink;
use super::{DYNAMIC, hcl1};
use overfold_base::account::{self, ChargedIterator, ChargedSort};
use overfold_base::diag::Diagnostics;
use overfold_eval as eval;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::{Expr, ExprKind, Id, ObjectItem, StepKind, Tree, UnaryOp};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Value, with_stack};
pub(super) use template::literal;
use template::{interpolate, interpolation_end};

/// How the tool reads the strings of a JSON value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// As templates.
    Template,
    /// As they are, where a constant is expected.
    Literal,
    /// As a reference, keyword, address or type constraint, without `${…}`.
    Bare,
}

/// Writes an expression so that the JSON syntax, reading it in `form`, yields the same meaning.
pub(super) fn write(sink: &mut impl JsonSink, forest: &Forest, at: ExprAt, form: Form) {
    match at {
        ExprAt::Native(source, id) => match forest.native(source) {
            Some(tree) if tree.hcl1 => hcl1::write(sink, tree, id),
            Some(tree) => Native { forest, tree, form, quoted: false }.write(sink, id),
            None => sink.null(),
        },
        ExprAt::Json(source, id) => match forest.json(source) {
            Some(tree) => verbatim(sink, tree, id),
            None => sink.null(),
        },
    }
}

/// Returns an expression as a template string of the native syntax: in quotes, or bare if it is a single interpolation
/// on one line.
pub(super) fn quoted_template(forest: &Forest, at: ExprAt) -> Option<String> {
    let ExprAt::Native(source, id) = at else { return None };
    let tree = forest.native(source)?;
    let writer = Native { forest, tree, form: Form::Template, quoted: true };
    if let ExprKind::TemplateWrap(inner) = tree.expr(id).kind {
        let source = tree.slice(tree.expr(inner).range);
        let mut wrapped = String::from("\"");
        interpolate(&mut wrapped, source);
        wrapped.push('"');
        return Some(if source.contains('\n') { wrapped } else { source.to_owned() });
    }
    Some(match writer.constant_text(id) {
        Some(text) => quoted_literal(&text),
        None => format!("\"{}\"", writer.template(id)),
    })
}

/// Writes a value from a JSON file as it is: its strings will be read the same way again.
fn verbatim(sink: &mut impl JsonSink, tree: &JsonTree, id: Id<JsonNode>) {
    with_stack(|| verbatim_here(sink, tree, id));
}

fn verbatim_here(sink: &mut impl JsonSink, tree: &JsonTree, id: Id<JsonNode>) {
    let node = tree.node(id);
    match node.kind {
        JsonKind::Null | JsonKind::Invalid => sink.null(),
        JsonKind::Bool(value) => sink.bool(value),
        JsonKind::Number => match tree.text.get(node.range.start as usize..node.range.end as usize) {
            Some(digits) => sink.scalar(&String::from_utf8_lossy(digits)),
            None => sink.null(),
        },
        JsonKind::Text(text) => sink.str(tree.str(text)),
        JsonKind::Array { items, .. } => sink.array(|sink| {
            for &item in tree.list(items) {
                verbatim(sink, tree, item);
            }
        }),
        JsonKind::Object { properties, .. } => sink.object(|sink| {
            let mut properties: Vec<_> = tree.properties(properties).iter().collect();
            // This may be the body of a block without a schema. The relative order of static and generated blocks then
            // matters.
            if !properties.iter().charged_at_once(1).any(|property| tree.str(property.name) == DYNAMIC) {
                properties.sort_by(|a, b| tree.str(a.name).cmp(tree.str(b.name)));
            }
            for property in properties {
                sink.key(tree.str(property.name));
                verbatim(sink, tree, property.value);
            }
        }),
    }
}

/// The members of an object by name; most objects have few.
type Members<'a> = SmallVec<[(Cow<'a, str>, Id<Expr>); 8]>;

/// A writer of native expressions.
#[derive(Clone, Copy)]
struct Native<'a> {
    forest: &'a Forest,
    tree: &'a Tree,
    form: Form,
    /// Whether template text appears within the quotes of the native syntax.
    quoted: bool,
}

impl<'a> Native<'a> {
    fn write(self, sink: &mut impl JsonSink, id: Id<Expr>) {
        with_stack(|| self.write_here(sink, id));
    }

    fn write_here(self, sink: &mut impl JsonSink, id: Id<Expr>) {
        let tree = self.tree;
        match tree.expr(id).kind {
            // Object names may be words that mean something elsewhere (a provider named `null`).
            ExprKind::Bool(_) | ExprKind::Null if self.form == Form::Bare => self.source(sink, id),
            ExprKind::Number => sink.scalar(number(tree.slice(tree.expr(id).range))),
            ExprKind::Bool(value) => sink.bool(value),
            ExprKind::Null => sink.null(),
            ExprKind::Unary { op: UnaryOp::Negate, operand, .. } if self.is_negatable(operand) => {
                sink.scalar(&format!("-{}", number(tree.slice(tree.expr(operand).range))));
            }
            ExprKind::Parens(inner) if self.form == Form::Literal => self.write(sink, inner),
            ExprKind::Parens(_) | ExprKind::TemplateWrap(_)
                if self.form == Form::Template && self.has_json_form(self.inside(id)) =>
            {
                // All levels at once: examining the content again at each level would take quadratic time.
                self.write(sink, self.inside(id));
            }
            ExprKind::TemplateWrap(inner) => self.source(sink, inner),
            ExprKind::Tuple { items, .. } => sink.array(|sink| {
                for &item in tree.list(items) {
                    self.write(sink, item);
                }
            }),
            ExprKind::Object { items, .. } => match self.keys(tree.items(items)) {
                Some(keys) => sink.object(|sink| {
                    for (key, value) in keys {
                        sink.key(&key);
                        self.write(sink, value);
                    }
                }),
                None => self.source(sink, id),
            },
            ExprKind::Text(_) | ExprKind::Template { .. } => match (self.form, self.constant_text(id)) {
                (Form::Literal | Form::Bare, Some(text)) => sink.str(&text),
                (Form::Template, Some(text)) => sink.str(&literal(&text)),
                (Form::Template, None) => sink.str(&self.template(id)),
                (Form::Literal | Form::Bare, None) => self.source(sink, id),
            },
            _ => self.source(sink, id),
        }
    }

    /// Writes the source text of the expression: bare, or as the only interpolation of a template.
    fn source(self, sink: &mut impl JsonSink, id: Id<Expr>) {
        match self.form {
            Form::Bare => return sink.str(&self.bare(id)),
            Form::Template => {}
            Form::Literal => {
                if let Some((value, text)) = self.constant(id) {
                    return sink.known(&value, Form::Literal, &text);
                }
            }
        }
        let source = self.tree.slice(self.tree.expr(id).range);
        sink.pieces(&["${", source, interpolation_end(source)]);
    }

    /// Strips all parentheses and interpolations around an expression.
    fn inside(self, mut id: Id<Expr>) -> Id<Expr> {
        while let ExprKind::Parens(inner) | ExprKind::TemplateWrap(inner) = self.tree.expr(id).kind {
            id = inner;
        }
        id
    }

    /// Whether an expression that is neither in parentheses nor in an interpolation has a JSON form other than a single
    /// interpolation.
    fn has_json_form(self, id: Id<Expr>) -> bool {
        matches!(
            self.tree.expr(id).kind,
            ExprKind::Number
                | ExprKind::Bool(_)
                | ExprKind::Null
                | ExprKind::Tuple { .. }
                | ExprKind::Object { .. }
                | ExprKind::Text(_)
                | ExprKind::Template { .. }
        )
    }

    /// Returns a reference without `${…}`. Indexes are always written in brackets: the JSON syntax knows no other form.
    fn bare(self, id: Id<Expr>) -> Cow<'a, str> {
        let tree = self.tree;
        let (mut text, steps) = match tree.expr(id).kind {
            ExprKind::Traversal(steps) => {
                let all = tree.slice(tree.expr(id).range);
                // Usually this holds already: names with dots between them and nothing else.
                let is_plain = !all.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '#'))
                    && !tree.steps(steps).iter().any(|step| matches!(step.kind, StepKind::IndexNumber(_)));
                if is_plain {
                    return all.into();
                }
                (String::with_capacity(all.len()), steps)
            }
            ExprKind::RelativeTraversal { on, steps } => (with_stack(|| self.bare(on)).into_owned(), steps),
            _ => return tree.slice(tree.expr(id).range).into(),
        };
        for step in tree.steps(steps) {
            match step.kind {
                StepKind::Attr(name) => {
                    text.push('.');
                    text.push_str(tree.slice(name));
                }
                StepKind::IndexNumber(digits) => {
                    text.push('[');
                    text.push_str(tree.slice(digits));
                    text.push(']');
                }
                StepKind::Root | StepKind::IndexText(_) | StepKind::IndexOther(_) => {
                    text.push_str(tree.slice(step.range));
                }
            }
        }
        account::grow(text.len() as u64);
        Cow::Owned(text)
    }

    /// Evaluates an expression without names and functions; returns the value and its JSON text.
    fn constant(self, id: Id<Expr>) -> Option<(Value, String)> {
        let mut out = Diagnostics::new();
        let value = eval::constant(self.forest, ExprAt::Native(self.tree.source, id), &mut out);
        let text = value.to_json().ok().filter(|_| !out.has_errors())?;
        Some((value, text))
    }

    /// Whether `-` and the number form one JSON literal. The tool keeps the sign of minus zero.
    fn is_negatable(self, operand: Id<Expr>) -> bool {
        let operand = self.tree.expr(operand);
        matches!(operand.kind, ExprKind::Number)
            && self.tree.bytes(operand.range).iter().any(|byte| (b'1'..=b'9').contains(byte))
    }

    /// Maps JSON property names to an object's values, if every key can be a property name and none occurs twice.
    fn keys(self, items: &[ObjectItem]) -> Option<Members<'a>> {
        let mut keys: Members<'_> = SmallVec::with_capacity(items.len());
        for item in items {
            let text = match item.literal_name {
                Some(name) => Some(Cow::Borrowed(self.tree.slice(name))),
                None => self.key(item.key),
            };
            let name = match (text, self.form) {
                // A key of a JSON object is read like any other string in it.
                (Some(Cow::Borrowed(text)), Form::Template) => literal(text),
                (Some(Cow::Owned(text)), Form::Template) => literal(&text).into_owned().into(),
                (Some(text), Form::Literal | Form::Bare) => text,
                (None, Form::Template) => self.key_template(item.key)?.into(),
                (None, Form::Literal | Form::Bare) => return None,
            };
            keys.push((name, item.value));
        }
        keys.charged_sort_by(1, |(a, _), (b, _)| a.cmp(b));
        keys.windows(2).all(|pair| matches!(pair, [(one, _), (next, _)] if one != next)).then_some(keys)
    }

    /// Returns a key that has to be evaluated, as a template.
    fn key_template(self, id: Id<Expr>) -> Option<String> {
        let evaluated = match self.tree.expr(id).kind {
            ExprKind::Template { .. } => return Some(self.template(id)),
            ExprKind::Parens(inner) | ExprKind::TemplateWrap(inner) => inner,
            ExprKind::Number => id,
            // Anything else must be in parentheses; the tool reports an error only for the source form.
            _ => return None,
        };
        if let ExprKind::Template { .. } = self.tree.expr(evaluated).kind {
            return Some(self.template(evaluated));
        }
        let mut text = String::new();
        interpolate(&mut text, self.tree.slice(self.tree.expr(evaluated).range));
        Some(text)
    }

    fn key(self, id: Id<Expr>) -> Option<Cow<'a, str>> {
        let tree = self.tree;
        match tree.expr(id).kind {
            ExprKind::Text(_) | ExprKind::Template { .. } => self.constant_text(id),
            ExprKind::Parens(inner) => self.key(inner),
            // A number as a key becomes its shortest decimal text; only plain digits are certain to be that already.
            ExprKind::Number => Some(Cow::Borrowed(tree.slice(tree.expr(id).range))).filter(|digits| {
                digits.len() <= 15
                    && digits.bytes().all(|byte| byte.is_ascii_digit())
                    && (digits.len() == 1 || !digits.starts_with('0'))
            }),
            ExprKind::Traversal(_) | ExprKind::RelativeTraversal { .. } | ExprKind::Bool(_) | ExprKind::Null
                if self.form == Form::Bare =>
            {
                Some(self.bare(id))
            }
            _ => None,
        }
    }

    /// Returns the text of a template without interpolations and directives.
    fn constant_text(self, id: Id<Expr>) -> Option<Cow<'a, str>> {
        match self.tree.expr(id).kind {
            ExprKind::Text(text) => Some(self.tree.str(text).into()),
            ExprKind::Template { parts, .. } => match self.tree.list(parts) {
                [] => Some(Cow::Borrowed("")),
                &[only] => self.constant_text_of_part(only),
                parts if !parts.iter().all(|&part| matches!(self.tree.expr(part).kind, ExprKind::Text(_))) => None,
                parts => {
                    let mut text = String::new();
                    for &part in parts {
                        text.push_str(&self.constant_text_of_part(part)?);
                    }
                    Some(Cow::Owned(text))
                }
            },
            _ => None,
        }
    }

    fn constant_text_of_part(self, id: Id<Expr>) -> Option<Cow<'a, str>> {
        match self.tree.expr(id).kind {
            ExprKind::Text(text) => Some(self.tree.str(text).into()),
            _ => None,
        }
    }
}

/// Converts a number of the native syntax to a JSON number: the same digits without leading zeros.
fn number(digits: &str) -> &str {
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let (_, trimmed) = digits.split_at(zeros);
    // One zero is kept if nothing else precedes the point or the exponent.
    let stays = if trimmed.starts_with(|c: char| c.is_ascii_digit()) { zeros } else { zeros.saturating_sub(1) };
    digits.split_at(stays).1
}
