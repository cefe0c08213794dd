//! Templates: building text from parts (expressions.md, section 3). The parser has already handled strip markers and
//! indentation.

use super::doubt::cannot_be_primitive;
use super::{Evaluator, Variation, codes, error};
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Reporting, Span};
use overfold_syntax::tree::{Expr, ExprKind, ExprRef, Id, Ids, Tree};
use overfold_value::{Marks, Type, Value, convert};

/// The maximum length in bytes of a rendered text.
const TEXT_LIMIT: usize = 32 << 20;

/// Appends a piece, or ends the evaluation if the text gets too long.
fn append(text: &mut String, piece: &Value) {
    let piece = piece.as_text().unwrap_or_default();
    if text.len() + piece.len() > TEXT_LIMIT {
        account::end_evaluation();
    }
    account::text(piece.len());
    text.push_str(piece);
}

impl Evaluator<'_, '_> {
    pub(super) fn template(
        &mut self,
        tree: &Tree,
        whole: &Expr,
        parts: Ids<ExprRef>,
        out: &mut Diagnostics,
    ) -> Value {
        if let &[only] = tree.list(parts)
            && let ExprKind::Text(_) = tree.expr(only).kind
        {
            return self.child(tree, only, out);
        }
        let mut text = String::new();
        let mut known = true;
        let mut marks = Marks::NONE;
        let keeps_all = self.variations.has(Variation::TextBehindErrorsStays);
        let ((), verdict) = out.watch(|out| {
            let mut is_whole = true;
            for part in tree.list(parts) {
                let (value, verdict) = out.watch(|out| self.child(tree, *part, out));
                // Most releases append nothing behind an error.
                is_whole &= !verdict.failed() || keeps_all;
                let doubt = value.marks().doubt();
                marks = marks.and(if value.is_null() { doubt } else { value.marks().of_result() });
                let is_unclear = !doubt.is_empty() && !cannot_be_primitive(&value);
                if !value.is_known() || is_unclear && is_no_text(&value) {
                    known = false;
                    continue;
                }
                let place = tree.span(tree.expr(*part).range);
                let Some(piece) = interpolated(&value, place, tree.span(whole.range), out) else {
                    is_whole &= keeps_all;
                    continue;
                };
                if known && is_whole {
                    append(&mut text, &piece);
                }
            }
        });
        let result = match (known, verdict.failed()) {
            (true, _) => Value::text(text),
            (false, true) => Value::unknown_not_null(Type::String),
            (false, false) => beginning_with(&text),
        };
        result.with_marks(marks)
    }

    pub(super) fn template_for(&mut self, tree: &Tree, inner: Id<Expr>, out: &mut Diagnostics) -> Value {
        let results = self.child(tree, inner, out);
        let doubt = results.marks().doubt();
        if results.ty().is_dynamic() || !results.is_known() {
            return Value::unknown(Type::String).with_marks(doubt);
        }
        let place = tree.span(tree.expr(inner).range);
        let own = results.marks().of_result();
        let mut marks = own;
        let mut text = String::new();
        for value in results.items() {
            if value.ty().is_dynamic() && !value.is_null() || !value.is_known() {
                return Value::unknown(Type::String).with_marks(own.and(value.marks().doubt()));
            }
            let is_unclear = value.marks().is_inexact() && !cannot_be_primitive(value) || own.is_inexact();
            if is_unclear && is_no_text(value) {
                return Value::unknown(Type::String).with_marks(own.and(Marks::INEXACT));
            }
            let Some(piece) = interpolated(value, place, place, out) else { continue };
            marks = marks.and(value.marks().of_result());
            append(&mut text, &piece);
        }
        Value::text(text).with_marks(marks)
    }
}

/// Returns an unknown text of which only the beginning is known (plan.md, section 3).
fn beginning_with(text: &str) -> Value {
    /// The tool remembers no more bytes than these.
    const LONGEST: usize = 128;
    let prefix = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    Value::unknown_not_null(Type::String).refined_prefix(prefix)
}

/// Whether a known value cannot become text.
fn is_no_text(value: &Value) -> bool {
    convert(value, &Type::String).map_or(true, |text| text.is_null())
}

/// Converts a known value to text. Reports a diagnostic and returns `None` if that is impossible.
fn interpolated(value: &Value, place: Span, whole: Span, out: &mut Diagnostics) -> Option<Value> {
    let detail = if value.is_null() {
        "The value is null, which cannot be included in a string. Only strings, numbers and booleans can.".to_owned()
    } else {
        match convert(value, &Type::String) {
            Ok(text) => return Some(text),
            Err(problem) => format!("The value cannot be included in a string: {problem}."),
        }
    };
    out.push(error(&codes::INVALID_INTERPOLATION, place, detail).within(whole));
    None
}
