//! Reads provided values: how texts and expressions are interpreted (variables.md, sections A2 and A3).

use bytes::Bytes;

use super::declared::DeclaredVariable;
use super::sources::Raw;
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Reporting};
use overfold_base::files::{GIVEN, SourceRole};
use overfold_dialect::TextRule;
use overfold_eval::{self as eval, Scope};
use overfold_syntax::json::JsonKind;
use overfold_syntax::tree::Root;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::Value;

/// Returns the source name of a text that is not in a file, as the tool shows it.
pub(super) fn text_name(variable: &str) -> String {
    format!("{GIVEN}var.{variable}>")
}

/// Reads a raw value for a declared variable. Returns `None` if it cannot be read; the reason goes to `out`.
pub(super) fn value(
    forest: &Forest,
    declared: &DeclaredVariable<'_>,
    raw: &Raw,
    rule: TextRule,
    out: &mut Diagnostics,
) -> Option<Value> {
    let expr = match raw {
        Raw::Text(text) if is_literal(declared, rule) => return Some(Value::text(text)),
        Raw::Text(text) => {
            let name = text_name(declared.name);
            account::room(text.len());
            let text = Bytes::from(text.clone());
            let (source, verdict) = out.watch(|out| forest.parse_detached_expression(&name, text, out));
            match forest.native(source).map(|tree| tree.root) {
                Some(Root::Expr(id)) if verdict.is_clean() => ExprAt::Native(source, id),
                _ => return None,
            }
        }
        Raw::Json(text) => {
            let name = text_name(declared.name);
            // A text in JSON syntax must be an object, so the value is read as a property of one.
            account::copy(text.len());
            let object = Bytes::from(format!("{{\"value\":{text}}}"));
            let (source, verdict) = out.watch(|out| forest.parse_json(&name, object, out));
            forest.sources.set_role(source, SourceRole::Given);
            let tree = forest.json(source).filter(|_| verdict.is_clean())?;
            let JsonKind::Object { properties, .. } = tree.node(tree.root).kind else { return None };
            ExprAt::Json(source, tree.properties(properties).first()?.value)
        }
        Raw::InFile(expr) => *expr,
    };
    expression(forest, expr, out)
}

/// Evaluates an expression that must not contain references. JSON strings are literal.
pub(super) fn expression(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Value> {
    let (value, verdict) = out.watch(|out| eval::evaluate(forest, expr, &Scope::CONSTANT, out));
    (verdict.is_clean() && !account::evaluation_is_over()).then_some(value)
}

fn is_literal(declared: &DeclaredVariable<'_>, rule: TextRule) -> bool {
    match rule {
        TextRule::ByType => match declared.variable.constraint() {
            Some(constraint) => constraint.takes_text_literally(),
            None => true,
        },
        // Rules for plain values.
        TextRule::TrimmedOrValue | TextRule::ValueOrRaw => true,
    }
}
