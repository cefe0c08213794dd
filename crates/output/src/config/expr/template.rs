//! Rebuilds templates from their parts.

use std::borrow::Cow;

use super::super::quoting::quoted;
use super::Native;
use overfold_syntax::tree::{Expr, ExprKind, Id};

impl<'a> Native<'a> {
    /// Rebuilds template text from the parts of a template. Strip markers, heredoc indentation and escapes have already
    /// been applied to the literal parts.
    pub(super) fn template(self, id: Id<Expr>) -> String {
        let tree = self.tree;
        let parts = self.parts(&id);
        // Escapes are rare: the source is about as long as the result.
        let mut text = String::with_capacity(tree.expr(id).range.len() + 8);
        self.push_parts(&mut text, parts, false);
        let mut solid = parts.iter().filter(|&&part| !self.is_empty_text(part));
        if let (Some(&only), None) = (solid.next(), solid.next())
            && !matches!(tree.expr(only).kind, ExprKind::TemplateIf { .. } | ExprKind::TemplateFor(_))
        {
            // A single interpolation would keep its type; here the result is a string.
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

    /// `followed` means that text beginning with `${` or `%{` comes right after the last part.
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
                // The only interpolation of a text that consists of it.
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

/// Appends `${source}`. A heredoc inside it only ends at the end of a line.
pub(super) fn interpolate(out: &mut String, source: &str) {
    out.push_str("${");
    out.push_str(source);
    out.push_str(interpolation_end(source));
}

pub(super) fn interpolation_end(source: &str) -> &'static str {
    if source.contains("<<") { "\n}" } else { "}" }
}

/// Appends `%{ head source }`.
fn directive(out: &mut String, head: &str, source: &str) {
    out.push_str("%{ ");
    out.push_str(head);
    out.push_str(source);
    out.push_str(if source.contains("<<") { "\n}" } else { " }" });
}

/// Turns literal text into a template of its own. If nothing needs escaping, a carriage return is an ordinary
/// character.
pub(in crate::config) fn literal(text: &str) -> Cow<'_, str> {
    if text.contains("${") || text.contains("%{") { escaped(text, false) } else { text.into() }
}

/// Escapes literal text within a template: `${` as `$${`, `%{` as `%%{`. A dollar or percent sign at the end must not
/// merge with a following interpolation or directive. After a carriage return that does not end a line, the tool's JSON
/// syntax recognises neither interpolations nor escapes, so the carriage return is put into an interpolation.
pub(super) fn escaped(text: &str, followed: bool) -> Cow<'_, str> {
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
