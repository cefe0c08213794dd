//! Writes what hcl2json would produce for a single file equivalent to the merged module.
//!
//! hcl2json knows only syntax: a block is an array of bodies under its labels, an expression that is not a literal
//! becomes `${…}` with its source text, and templates are rebuilt from their parts. The module is therefore first
//! written in native syntax ([`super::native::text`]), and the tree of that text is what is written here.
//!
//! Where hcl2json gives up (blocks of one type with and without labels), the blocks with labels are put into an object
//! in the same array.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, TextRange};
use overfold_module::pipeline::Report;
use overfold_syntax::tree::{Body, Expr, ExprKind, Id, Root, Tree, UnaryOp};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::with_stack;

/// Writes the whole module.
pub(crate) fn write(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>) {
    let text = Bytes::from(super::native::text(report, redaction));
    let forest = Forest::with_grammar(report.forest.limits, report.forest.grammar());
    let mut silence = Diagnostics::new();
    let id = if report.dialect.reads_hcl1() {
        forest.parse_hcl1("", text, &mut silence)
    } else {
        forest.parse_native("", text, &mut silence)
    };
    let Some(tree) = forest.native(id) else { return json.null() };
    let Root::Body(root) = tree.root else { return json.null() };
    Writer { forest: &forest, tree }.body(json, root);
}

struct Writer<'a> {
    forest: &'a Forest,
    tree: &'a Tree,
}

/// Everything under one name.
#[derive(Default)]
struct NameContent<'a> {
    /// The bodies of the blocks without further labels.
    bodies: Vec<Id<Body>>,
    /// Further blocks by their next label.
    labels: BTreeMap<&'a str, NameContent<'a>>,
    /// The argument of this name, which hides any blocks.
    value: Option<Id<Expr>>,
}

impl<'a> Writer<'a> {
    fn body(&self, json: &mut JsonWriter, id: Id<Body>) {
        with_stack(|| self.body_here(json, id));
    }

    fn body_here(&self, json: &mut JsonWriter, id: Id<Body>) {
        let tree = self.tree;
        let body = tree.body(id);
        let mut names: BTreeMap<&'a str, NameContent<'a>> = BTreeMap::new();
        for block in tree.blocks(body.blocks).charged(1) {
            let mut at = names.entry(tree.name(block.type_range)).or_default();
            for label in tree.labels(block.labels) {
                at = at.labels.entry(tree.str(label.text)).or_default();
            }
            at.bodies.push(if tree.hcl1 { tree.body_after_labels(block, block.labels.len()) } else { block.body });
        }
        for attribute in tree.attributes(body.attributes) {
            names.entry(tree.name(attribute.name_range)).or_default().value = Some(attribute.expr);
        }
        json.object(|json| {
            for (name, under) in names {
                json.key(name);
                self.write_content(json, under);
            }
        });
    }

    fn write_content(&self, json: &mut JsonWriter, under: NameContent<'a>) {
        let NameContent { bodies, labels, value } = under;
        if let Some(value) = value {
            self.expr(json, value);
        } else if bodies.is_empty() {
            self.labels(json, labels);
        } else {
            json.array(|json| {
                for body in bodies {
                    self.body(json, body);
                }
                if !labels.is_empty() {
                    self.labels(json, labels);
                }
            });
        }
    }

    fn labels(&self, json: &mut JsonWriter, labels: BTreeMap<&'a str, NameContent<'a>>) {
        json.object(|json| {
            for (label, under) in labels {
                json.key(label);
                with_stack(|| self.write_content(json, under));
            }
        });
    }

    fn expr(&self, json: &mut JsonWriter, id: Id<Expr>) {
        with_stack(|| self.expr_here(json, id));
    }

    fn expr_here(&self, json: &mut JsonWriter, id: Id<Expr>) {
        let tree = self.tree;
        if tree.hcl1 {
            return super::hcl1::write(json, tree, id);
        }
        match tree.expr(id).kind {
            ExprKind::Bool(value) => json.bool(value),
            ExprKind::Null => json.null(),
            ExprKind::Number => self.constant(json, id),
            // The sign of a literal number is part of it, and so is the negation of a literal boolean.
            ExprKind::Unary { op, operand, .. } => match (op, tree.expr(operand).kind) {
                (UnaryOp::Negate, ExprKind::Number) | (UnaryOp::Not, ExprKind::Bool(_)) => self.constant(json, id),
                _ => json.str(&self.interpolated(id)),
            },
            ExprKind::Text(text) => json.str(&escaped(tree.str(text))),
            ExprKind::Template { parts, .. } => json.str(&self.template(tree.list(parts))),
            ExprKind::TemplateWrap(inner) => self.expr(json, inner),
            ExprKind::Tuple { items, .. } => json.array(|json| {
                for &item in tree.list(items) {
                    self.expr(json, item);
                }
            }),
            ExprKind::Object { items, .. } => {
                // If a key has several values, the last one wins.
                let mut members: BTreeMap<String, Id<Expr>> = BTreeMap::new();
                for item in tree.items(items) {
                    members.insert(self.key(item.key), item.value);
                }
                json.object(|json| {
                    for (key, value) in members {
                        json.key(&key);
                        self.expr(json, value);
                    }
                });
            }
            _ => json.str(&self.interpolated(id)),
        }
    }

    /// Writes a value that depends on no names.
    fn constant(&self, json: &mut JsonWriter, id: Id<Expr>) {
        let at = ExprAt::Native(self.tree.source, id);
        match overfold_eval::constant(self.forest, at, &mut Diagnostics::new()).to_json() {
            Ok(text) => json.raw(&text),
            Err(_) => json.str(&self.interpolated(id)),
        }
    }

    fn key(&self, id: Id<Expr>) -> String {
        let tree = self.tree;
        match tree.expr(id).kind {
            ExprKind::Traversal(_) => self.source(tree.expr(id).range),
            _ => self.part(id),
        }
    }

    fn template(&self, parts: &[Id<Expr>]) -> String {
        parts.iter().map(|&part| self.part(part)).collect()
    }

    /// Returns a part of a template as template text.
    fn part(&self, id: Id<Expr>) -> String {
        with_stack(|| self.part_here(id))
    }

    fn part_here(&self, id: Id<Expr>) -> String {
        let tree = self.tree;
        match tree.expr(id).kind {
            ExprKind::Null => "null".to_owned(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Number => {
                let at = ExprAt::Native(tree.source, id);
                let value = overfold_eval::constant(self.forest, at, &mut Diagnostics::new());
                value.to_json().unwrap_or_else(|_| self.interpolated(id))
            }
            ExprKind::Text(text) => escaped(tree.str(text)),
            ExprKind::Template { parts, .. } => self.template(tree.list(parts)),
            ExprKind::TemplateWrap(inner) => self.part(inner),
            ExprKind::TemplateIf { cond, then, or_else } => {
                self.conditional(cond, then, &or_else.map(|or_else| self.part(or_else)).unwrap_or_default())
            }
            // The tool treats a conditional in an interpolation as a directive.
            ExprKind::Conditional { cond, then, or_else } => self.conditional(cond, then, &self.part(or_else)),
            ExprKind::TemplateFor(inner) => self.repetition(inner),
            _ => self.interpolated(id),
        }
    }

    fn conditional(&self, cond: Id<Expr>, then: Id<Expr>, or_else: &str) -> String {
        let mut out = format!("%{{if {}}}{}", self.source(self.tree.expr(cond).range), self.part(then));
        if !or_else.is_empty() {
            out.push_str("%{else}");
            out.push_str(or_else);
        }
        out.push_str("%{endif}");
        out
    }

    fn repetition(&self, id: Id<Expr>) -> String {
        let tree = self.tree;
        let ExprKind::For(each) = tree.expr(id).kind else { return self.interpolated(id) };
        let each = tree.for_expr(each);
        let key = each.key_var.map_or_else(String::new, |key| format!("{}, ", tree.slice(key)));
        let collection = self.source(tree.expr(each.collection).range);
        format!("%{{for {key}{} in {collection}}}{}%{{endfor}}", tree.slice(each.value_var), self.part(each.value))
    }

    fn interpolated(&self, id: Id<Expr>) -> String {
        format!("${{{}}}", self.source(self.tree.expr(id).range))
    }

    /// Returns source text. Like the tool, it includes a closing parenthesis immediately after the range.
    fn source(&self, range: TextRange) -> String {
        let behind = self.tree.text.get(range.indexes().end) == Some(&b')');
        let end = if behind { range.end.saturating_add(1) } else { range.end };
        let text = self.tree.slice(TextRange::new(range.start, end)).to_owned();
        account::grow(text.len() as u64);
        text
    }
}

/// Turns literal text into a template.
fn escaped(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}
