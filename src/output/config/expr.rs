//! Expressions in Terraform's JSON configuration syntax: what means the same there (terraform.md, section 9).

use std::borrow::Cow;

use smallvec::SmallVec;

use super::super::json::JsonWriter;
use super::quoting::{quoted, quoted_literal};
use super::{DYNAMIC, hcl1};
use crate::account;
use crate::diag::Diagnostics;
use crate::eval;
use crate::syntax::json::{JsonKind, JsonNode, JsonTree};
use crate::syntax::tree::{Expr, ExprKind, Id, ObjectItem, StepKind, Tree, UnaryOp};
use crate::syntax::{ExprAt, Forest};
use crate::value::json::write_text;
use crate::value::{Value, with_stack};

/// How the tool reads the strings of a JSON value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::output) enum Form {
    /// As templates.
    Template,
    /// As they stand: where a constant is wanted.
    Literal,
    /// As a reference, keyword, address or type constraint, without `${…}`.
    Bare,
}

/// Writes an expression so that the JSON syntax, reading it in `form`, gives the same meaning.
pub(super) fn write(json: &mut JsonWriter, forest: &Forest, at: ExprAt, form: Form) {
    match at {
        ExprAt::Native(source, id) => match forest.native(source) {
            Some(tree) if tree.hcl1 => hcl1::write(json, tree, id),
            Some(tree) => Native { forest, tree, form, quoted: false }.write(json, id),
            None => json.null(),
        },
        ExprAt::Json(source, id) => match forest.json(source) {
            Some(tree) => verbatim(json, tree, id),
            None => json.null(),
        },
    }
}

/// A template of a text in the native syntax: in quotes, or the expression alone where it is nothing but one on one line.
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

/// A value as JSON, its texts written so that they stand for themselves where the tool reads templates. `None`: it has no
/// such form, because something in it is not known.
pub(super) fn template_json(value: &Value) -> Option<String> {
    let mut out = String::new();
    value.write_json(&mut out, |text, out| write_text(&literal(text), out)).ok()?;
    Some(out)
}

/// A value of a JSON file, as it is: its strings are read again in the way they were read.
fn verbatim(json: &mut JsonWriter, tree: &JsonTree, id: Id<JsonNode>) {
    with_stack(|| verbatim_here(json, tree, id));
}

fn verbatim_here(json: &mut JsonWriter, tree: &JsonTree, id: Id<JsonNode>) {
    let node = tree.node(id);
    match node.kind {
        JsonKind::Null | JsonKind::Invalid => json.null(),
        JsonKind::Bool(value) => json.bool(value),
        JsonKind::Number => match tree.text.get(node.range.start as usize..node.range.end as usize) {
            Some(digits) => json.raw(&String::from_utf8_lossy(digits)),
            None => json.null(),
        },
        JsonKind::Text(text) => json.str(tree.str(text)),
        JsonKind::Array { items, .. } => json.array(|json| {
            for &item in tree.list(items) {
                verbatim(json, tree, item);
            }
        }),
        JsonKind::Object { properties, .. } => json.object(|json| {
            let mut properties: Vec<_> = tree.properties(properties).iter().collect();
            account::work(properties.len() as u64);
            // It may be the body of a block of which nothing is known. Then the order of what is written out and what is
            // generated counts.
            if !properties.iter().any(|property| tree.str(property.name) == DYNAMIC) {
                properties.sort_by(|a, b| tree.str(a.name).cmp(tree.str(b.name)));
            }
            for property in properties {
                json.key(tree.str(property.name));
                verbatim(json, tree, property.value);
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
    /// Template text stands between the quotes of the native syntax.
    quoted: bool,
}

impl<'a> Native<'a> {
    fn write(self, json: &mut JsonWriter, id: Id<Expr>) {
        with_stack(|| self.write_here(json, id));
    }

    fn write_here(self, json: &mut JsonWriter, id: Id<Expr>) {
        let tree = self.tree;
        match tree.expr(id).kind {
            // Names of objects may be words that mean something elsewhere (a provider named `null`).
            ExprKind::Bool(_) | ExprKind::Null if self.form == Form::Bare => self.source(json, id),
            ExprKind::Number => json.raw(number(tree.slice(tree.expr(id).range))),
            ExprKind::Bool(value) => json.bool(value),
            ExprKind::Null => json.null(),
            ExprKind::Unary { op: UnaryOp::Negate, operand, .. } if self.is_negatable(operand) => {
                json.raw(&format!("-{}", number(tree.slice(tree.expr(operand).range))));
            }
            ExprKind::Parens(inner) if self.form == Form::Literal => self.write(json, inner),
            ExprKind::Parens(_) | ExprKind::TemplateWrap(_)
                if self.form == Form::Template && self.has_json_form(self.inside(id)) =>
            {
                // All of them at once: asking at each level what is inside of it would take the square of their number.
                self.write(json, self.inside(id));
            }
            ExprKind::TemplateWrap(inner) => self.source(json, inner),
            ExprKind::Tuple { items, .. } => json.array(|json| {
                for &item in tree.list(items) {
                    self.write(json, item);
                }
            }),
            ExprKind::Object { items, .. } => match self.keys(tree.items(items)) {
                Some(keys) => json.object(|json| {
                    for (key, value) in keys {
                        json.key(&key);
                        self.write(json, value);
                    }
                }),
                None => self.source(json, id),
            },
            ExprKind::Text(_) | ExprKind::Template { .. } => match (self.form, self.constant_text(id)) {
                (Form::Literal | Form::Bare, Some(text)) => json.str(&text),
                (Form::Template, Some(text)) => json.str(&literal(&text)),
                (Form::Template, None) => json.str(&self.template(id)),
                (Form::Literal | Form::Bare, None) => self.source(json, id),
            },
            _ => self.source(json, id),
        }
    }

    /// The expression's source text: bare, or as the one interpolation of a template.
    fn source(self, json: &mut JsonWriter, id: Id<Expr>) {
        match self.form {
            Form::Bare => return json.str(&self.bare(id)),
            Form::Template => {}
            Form::Literal => {
                if let Some(value) = self.constant(id) {
                    return json.raw(&value);
                }
            }
        }
        let source = self.tree.slice(self.tree.expr(id).range);
        json.pieces(&["${", source, interpolation_end(source)]);
    }

    /// What stands inside of all parentheses and interpolations around it.
    fn inside(self, mut id: Id<Expr>) -> Id<Expr> {
        while let ExprKind::Parens(inner) | ExprKind::TemplateWrap(inner) = self.tree.expr(id).kind {
            id = inner;
        }
        id
    }

    /// Whether an expression, no parentheses and no interpolation, is more in JSON than one interpolation.
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

    /// A reference without `${…}`. An index is always in brackets: the JSON syntax knows no other form.
    fn bare(self, id: Id<Expr>) -> Cow<'a, str> {
        let tree = self.tree;
        let (mut text, steps) = match tree.expr(id).kind {
            ExprKind::Traversal(steps) => {
                let all = tree.slice(tree.expr(id).range);
                // As a rule it is that already: nothing but names with a dot between them.
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

    /// What an expression without names and functions gives, as JSON.
    fn constant(self, id: Id<Expr>) -> Option<String> {
        let mut out = Diagnostics::new();
        let value = eval::constant(self.forest, ExprAt::Native(self.tree.source, id), &mut out);
        value.to_json().ok().filter(|_| !out.has_errors())
    }

    /// Whether `-` before the number is one JSON literal with it. Minus zero keeps its sign in the tool.
    fn is_negatable(self, operand: Id<Expr>) -> bool {
        let operand = self.tree.expr(operand);
        matches!(operand.kind, ExprKind::Number)
            && self.tree.bytes(operand.range).iter().any(|byte| (b'1'..=b'9').contains(byte))
    }

    /// An object's values by the names of JSON properties, when every key can be one and none comes twice.
    fn keys(self, items: &[ObjectItem]) -> Option<Members<'a>> {
        let mut keys: Members<'_> = SmallVec::with_capacity(items.len());
        for item in items {
            let text = match item.literal_name {
                Some(name) => Some(Cow::Borrowed(self.tree.slice(name))),
                None => self.key(item.key),
            };
            let name = match (text, self.form) {
                // A key of a JSON object is read like any other string of its value.
                (Some(Cow::Borrowed(text)), Form::Template) => literal(text),
                (Some(Cow::Owned(text)), Form::Template) => literal(&text).into_owned().into(),
                (Some(text), Form::Literal | Form::Bare) => text,
                (None, Form::Template) => self.key_template(item.key)?.into(),
                (None, Form::Literal | Form::Bare) => return None,
            };
            keys.push((name, item.value));
        }
        account::work(keys.len() as u64);
        keys.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        keys.windows(2).all(|pair| matches!(pair, [(one, _), (next, _)] if one != next)).then_some(keys)
    }

    /// A key that has to be evaluated, as a template.
    fn key_template(self, id: Id<Expr>) -> Option<String> {
        let evaluated = match self.tree.expr(id).kind {
            ExprKind::Template { .. } => return Some(self.template(id)),
            ExprKind::Parens(inner) | ExprKind::TemplateWrap(inner) => inner,
            ExprKind::Number => id,
            // Anything else has to be in parentheses; what the tool says of it, it says of its source alone.
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
            // A number is a key by its shortest decimal text; only digits are surely that.
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

    /// The text of a template without interpolations and directives.
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

    /// A template again as template text, from its parts: the literal parts already have strip markers,
    /// heredoc indentation and escapes applied.
    fn template(self, id: Id<Expr>) -> String {
        let tree = self.tree;
        let parts = self.parts(&id);
        // Escapes are rare: the source is about as long as what it becomes.
        let mut text = String::with_capacity(tree.expr(id).range.len() + 8);
        self.push_parts(&mut text, parts, false);
        let mut solid = parts.iter().filter(|&&part| !self.is_empty_text(part));
        if let (Some(&only), None) = (solid.next(), solid.next())
            && !matches!(tree.expr(only).kind, ExprKind::TemplateIf { .. } | ExprKind::TemplateFor(_))
        {
            // One interpolation alone would keep its type; here the result is a string.
            text.push_str("${\"\"}");
        }
        text
    }

    fn parts<'s>(self, id: &'s Id<Expr>) -> &'s [Id<Expr>]
    where
        'a: 's,
    {
        match self.tree.expr(*id).kind {
            ExprKind::Template { parts, .. } => self.tree.list(parts),
            _ => std::slice::from_ref(id),
        }
    }

    fn is_empty_text(self, id: Id<Expr>) -> bool {
        matches!(self.tree.expr(id).kind, ExprKind::Text(text) if self.tree.str(text).is_empty())
    }

    /// `followed`: something comes right after the last part that begins with `${` or `%{`.
    fn push_parts(self, out: &mut String, parts: &[Id<Expr>], followed: bool) {
        let tree = self.tree;
        for (at, &part) in parts.iter().enumerate() {
            match tree.expr(part).kind {
                ExprKind::Text(text) => {
                    let next_is_literal = parts.get(at + 1).is_some_and(|&next| {
                        matches!(tree.expr(next).kind, ExprKind::Text(_)) && !self.is_empty_text(next)
                    });
                    let last = at + 1 == parts.len();
                    let followed = !next_is_literal && (!last || followed);
                    if self.quoted {
                        out.push_str(&quoted(tree.str(text), followed));
                    } else {
                        out.push_str(&escaped(tree.str(text), followed));
                    }
                }
                ExprKind::TemplateIf { cond, then, or_else } => {
                    directive(out, "if ", tree.slice(tree.expr(cond).range));
                    self.push_parts(out, self.parts(&then), true);
                    let or_else = or_else.as_ref().map(|or_else| self.parts(or_else)).unwrap_or_default();
                    if or_else.iter().any(|&part| !self.is_empty_text(part)) {
                        out.push_str("%{ else }");
                        self.push_parts(out, or_else, true);
                    }
                    out.push_str("%{ endif }");
                }
                ExprKind::TemplateFor(inner) => self.push_for(out, inner),
                // The one interpolation of a text that is a template as a whole.
                ExprKind::TemplateWrap(inner) if tree.bytes(tree.expr(part).range).first() == Some(&b'$') => {
                    interpolate(out, tree.slice(tree.expr(inner).range));
                }
                _ => interpolate(out, tree.slice(tree.expr(part).range)),
            }
        }
    }

    fn push_for(self, out: &mut String, inner: Id<Expr>) {
        let tree = self.tree;
        let ExprKind::For(id) = tree.expr(inner).kind else { return };
        let each = tree.for_expr(id);
        let mut head = String::from("for ");
        if let Some(key) = each.key_var {
            head.push_str(tree.slice(key));
            head.push_str(", ");
        }
        head.push_str(tree.slice(each.value_var));
        head.push_str(" in ");
        directive(out, &head, tree.slice(tree.expr(each.collection).range));
        self.push_parts(out, self.parts(&each.value), true);
        out.push_str("%{ endfor }");
    }
}

/// `${source}`. A here document inside ends only at the end of a line.
fn interpolate(out: &mut String, source: &str) {
    out.push_str("${");
    out.push_str(source);
    out.push_str(interpolation_end(source));
}

fn interpolation_end(source: &str) -> &'static str {
    if source.contains("<<") { "\n}" } else { "}" }
}

/// `%{ head source }`.
fn directive(out: &mut String, head: &str, source: &str) {
    out.push_str("%{ ");
    out.push_str(head);
    out.push_str(source);
    out.push_str(if source.contains("<<") { "\n}" } else { " }" });
}

/// Literal text as a template of its own. A carriage return is a letter like any other where nothing has to be escaped.
fn literal(text: &str) -> Cow<'_, str> {
    if text.contains("${") || text.contains("%{") { escaped(text, false) } else { text.into() }
}

/// Literal text as it has to stand in a template: `${` as `$${`, `%{` as `%%{`. When an interpolation or a directive
/// follows, a dollar or percent sign at the end must not run into it. After a carriage return that ends no line the
/// tool's JSON syntax finds neither interpolations nor escapes, so it stands in an interpolation of its own.
fn escaped(text: &str, followed: bool) -> Cow<'_, str> {
    if !text.contains(['$', '%', '\r']) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let kept = if followed { text.trim_end_matches(['$', '%']) } else { text };
    let mut rest = kept;
    while let Some(at) = rest.find(['$', '%', '\r']) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let (sign, after) = tail.split_at(1);
        rest = after;
        if sign == "\r" && !after.starts_with('\n') {
            out.push_str("${\"\\r\"}");
            continue;
        }
        out.push_str(sign);
        if sign != "\r" && after.starts_with('{') {
            out.push_str(sign);
        }
    }
    out.push_str(rest);
    let (_, signs) = text.split_at(kept.len());
    if !signs.is_empty() {
        out.push_str("${\"");
        out.push_str(signs);
        out.push_str("\"}");
    }
    out.into()
}

/// A number of the native syntax as a JSON number: the same digits without leading zeros.
fn number(digits: &str) -> &str {
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let (_, trimmed) = digits.split_at(zeros);
    // One zero stays where nothing else stands before the point or the exponent.
    let stays = if trimmed.starts_with(|c: char| c.is_ascii_digit()) { zeros } else { zeros.saturating_sub(1) };
    digits.split_at(stays).1
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::super::super::json::JsonWriter;
    use super::{Form, escaped, number, write};
    use crate::diag::Diagnostics;
    use crate::syntax::tree::Root;
    use crate::syntax::{ExprAt, Forest, SyntaxLimits};

    fn written(source: &str, form: Form) -> String {
        let forest = Forest::new(SyntaxLimits::default());
        let mut out = Diagnostics::new();
        let id = forest.parse_detached_expression("test", Bytes::copy_from_slice(source.as_bytes()), &mut out);
        assert!(!out.has_errors(), "{source}: {out:?}");
        let Root::Expr(expr) = forest.native(id).unwrap().root else { panic!("no expression") };
        let mut json = JsonWriter::default();
        write(&mut json, &forest, ExprAt::Native(id, expr), form);
        String::from_utf8(json.into_bytes()).unwrap()
    }

    #[test]
    fn what_json_can_say_is_said_in_json() {
        for (source, json) in [
            ("\"foo\"", r#""foo""#),
            ("12345678901234567890.50", "12345678901234567890.50"),
            ("-5", "-5"),
            ("- 5", "-5"),
            ("-0", r#""${-0}""#),
            ("null", "null"),
            ("[1, \"a\", true]", r#"[1,"a",true]"#),
            ("[var.a, [null]]", r#"["${var.a}",[null]]"#),
            ("{ a = 1, \"b c\" = x.y, (\"d\") = 2, 3 = 4 }", r#"{"3":4,"a":1,"b c":"${x.y}","d":2}"#),
            ("{ \"$${k}\" = \"%%{v}\" }", r#"{"$${k}":"%%{v}"}"#),
            ("{ b = { d = 1, c = 2 }, a = 3 }", r#"{"a":3,"b":{"c":2,"d":1}}"#),
            ("{ \"k/${c}\" = 1, (k) = 2, \"${j}\" = 3, 1.50 = 4 }", r#"{"${1.50}":4,"${j}":3,"${k}":2,"k/${c}":1}"#),
            ("(1)", "1"),
            ("([a, \"${[b]}\"])", r#"["${a}",["${b}"]]"#),
            (r#""a\r${b}\r\n$""#, "\"a${\\\"\\\\r\\\"}${b}\\r\\n$\""),
            (r#""a\rb""#, r#""a\rb""#),
            (r#""a\r$${b}""#, "\"a${\\\"\\\\r\\\"}$${b}\""),
        ] {
            assert_eq!(written(source, Form::Template), json, "{source}");
        }
    }

    #[test]
    fn what_json_cannot_say_is_one_interpolation() {
        for (source, json) in [
            ("var.a", r#""${var.a}""#),
            ("\"${var.a}\"", r#""${var.a}""#),
            ("1 + 2", r#""${1 + 2}""#),
            ("!true", r#""${!true}""#),
            ("(a)", r#""${(a)}""#),
            ("{ a.b = 1 }", r#""${{ a.b = 1 }}""#),
            ("{ (k) = 1, \"${k}\" = 2 }", r#""${{ (k) = 1, \"${k}\" = 2 }}""#),
            ("{ a = 1, a = 2 }", r#""${{ a = 1, a = 2 }}""#),
            ("f(<<EOT\nx\nEOT\n)", "\"${f(<<EOT\\nx\\nEOT\\n)\\n}\""),
        ] {
            assert_eq!(written(source, Form::Template), json, "{source}");
        }
    }

    #[test]
    fn templates_are_written_from_their_parts() {
        for (source, json) in [
            (r#""a-${b}-c""#, r#""a-${b}-c""#),
            (r#""$${a}%%{b}""#, r#""$${a}%%{b}""#),
            (r#""\u0024${a}""#, r#""${\"$\"}${a}""#),
            (r#""${~ a ~}  x ${~ b }""#, r#""${a}x${b}""#),
            (r#""%{ if a }y%{ else }n$%{ endif }z""#, r#""%{ if a }y%{ else }n${\"$\"}%{ endif }z""#),
            (r#""%{ if a }${b}%{ endif }""#, r#""%{ if a }${b}%{ endif }""#),
            (r#""%{ for k, v in m }${k}%{ endfor }""#, r#""%{ for k, v in m }${k}%{ endfor }""#),
            ("<<EOT\n${a}\nEOT\n", r#""${a}\n""#),
            ("<<-EOT\n    a ${b}\n      c\n    EOT\n", r#""a ${b}\n  c\n""#),
            ("<<EOT\n${a ~}\nEOT\n", r#""${a}${\"\"}""#),
            (r#""""#, r#""""#),
            (r#""\t\"\\é""#, r#""\t\"\\é""#),
        ] {
            assert_eq!(written(source, Form::Template), json, "{source}");
        }
    }

    #[test]
    fn bare_text_and_constants_stand_for_themselves() {
        for (source, json) in [
            ("aws.west", r#""aws.west""#),
            ("\"aws.west\"", r#""aws.west""#),
            ("[a.b, c.d[\"e\"]]", r#"["a.b","c.d[\"e\"]"]"#),
            ("{ aws.x = aws.y, z = q }", r#"{"aws.x":"aws.y","z":"q"}"#),
            ("map(object({ a = optional(string, \"d\") }))", r#""map(object({ a = optional(string, \"d\") }))""#),
            ("all", r#""all""#),
            ("null", r#""null""#),
            ("{ null.b = null, null.a = null.c }", r#"{"null.a":"null.c","null.b":"null"}"#),
            ("[a.b.0, c.1.d[2]]", r#"["a.b[0]","c[1].d[2]"]"#),
        ] {
            assert_eq!(written(source, Form::Bare), json, "{source}");
        }
        for (source, json) in [
            (r#""$${a} %%{b}""#, r#""${a} %{b}""#),
            (r#"{ "$${k}" = ["%%{v}", -1, (2)] }"#, r#"{"${k}":["%{v}",-1,2]}"#),
            ("[1 + 2, \"a${1}\"]", r#"[3,"a1"]"#),
            ("[a.b]", r#"["${a.b}"]"#),
            ("a.b", r#""${a.b}""#),
            ("f(1)", r#""${f(1)}""#),
        ] {
            assert_eq!(written(source, Form::Literal), json, "{source}");
        }
    }

    #[test]
    fn literal_text_survives_as_a_template() {
        assert_eq!(escaped("a ${b} %{c}", false), "a $${b} %%{c}");
        assert_eq!(escaped("$$${ $% $", false), "$$$${ $% $");
        assert_eq!(escaped("costs 5$", true), "costs 5${\"$\"}");
        assert_eq!(escaped("100%$", true), "100${\"%$\"}");
        assert_eq!(escaped("${", true), "$${");
        assert_eq!(escaped("", true), "");
    }

    #[test]
    fn numbers_are_json_numbers() {
        for (native, json) in
            [("007", "7"), ("0", "0"), ("000", "0"), ("00.50", "0.50"), ("1e5", "1e5"), ("0e1", "0e1"), ("10", "10")]
        {
            assert_eq!(number(native), json);
        }
    }
}
