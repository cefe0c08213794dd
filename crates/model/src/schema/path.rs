//! The static check of a reference's path (validate.md, section 4; plan-schema.md, section 10).

use super::body::{AttributeSchema, BodySchema, NestedBlock, Nesting, Shape};
use super::codes;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_base::nearest::hint;
use overfold_eval as eval;
use overfold_syntax::statics::{TraversalKey, TraversalStep};
use overfold_value::{Number, Type, Value};

/// How the paths of references are checked.
#[derive(Clone, Copy, Default, Debug)]
pub struct PathRules {
    /// Whether brackets behind an object of an attribute's type are not checked ([`eval::index`]).
    pub late: bool,
    /// Whether a reference to a deprecated attribute is a warning.
    pub warns_of_deprecated: bool,
}

/// Checks the steps of a reference that follow the address of an object and its instance key, up to the first step that
/// is not written out. Reports at most one error, at the step that is wrong.
pub fn check_path(schema: &BodySchema, steps: &[TraversalStep<'_>], rules: PathRules, out: &mut Diagnostics) {
    let (mut schema, mut steps) = (schema, steps);
    while let Some((step, rest)) = steps.split_first() {
        account::work(4);
        let TraversalKey::Attr(name) = &step.key else {
            let hint = match &step.key {
                TraversalKey::IndexText(name) if schema.names().any(|known| known == name) => {
                    format!(" Write `.{name}`.")
                }
                _ => String::new(),
            };
            let detail = format!("An attribute or a nested block must be named after a dot here.{hint}");
            out.push(Diagnostic::tool(&codes::INVALID_INDEX_OPERATION, step.span, detail));
            return;
        };
        if let Some(attribute) = schema.attributes.get(&**name) {
            if attribute.deprecated && rules.warns_of_deprecated {
                let detail = format!(
                    "The provider has deprecated the attribute {name:?}. Its documentation says what to use instead."
                );
                out.push(Diagnostic::tool(&codes::DEPRECATED_ATTRIBUTE, step.span, detail));
            }
            follow(Value::unknown(attribute.implied_type()), rest, rules.late, out);
            return;
        }
        let Some(block) = schema.blocks.get(&**name) else {
            account::work(schema.attributes.len() as u64 / 8);
            let hint = hint(name, schema.names());
            let detail = format!("Objects of this type have no attribute or nested block named {name:?}.{hint}");
            out.push(Diagnostic::tool(&eval::codes::UNSUPPORTED_ATTRIBUTE, step.span, detail));
            return;
        };
        let Some(rest) = inside(name, block, rest, out) else { return };
        (schema, steps) = (&block.body, rest);
    }
}

/// Returns the attribute to which the steps lead, through blocks and attributes of nested objects, whatever the keys in
/// brackets are; `None` if they end at blocks, or lead into the value of an attribute.
pub fn attribute_at<'s>(schema: &'s BodySchema, steps: &[TraversalStep<'_>]) -> Option<&'s AttributeSchema> {
    let (mut attributes, mut blocks) = (&schema.attributes, Some(&schema.blocks));
    for (at, step) in steps.iter().enumerate().charged(4) {
        let TraversalKey::Attr(name) = &step.key else { continue };
        if let Some(attribute) = attributes.get(&**name) {
            if at + 1 == steps.len() {
                return Some(attribute);
            }
            let Shape::Nested(object) = &attribute.shape else { return None };
            (attributes, blocks) = (&object.attributes, None);
        } else {
            let body = &blocks?.get(&**name)?.body;
            (attributes, blocks) = (&body.attributes, Some(&body.blocks));
        }
    }
    None
}

/// Takes the step from all blocks of one type to one of them. Returns the steps that are left, or `None` if there are
/// none to check.
fn inside<'s, 't>(
    name: &str,
    block: &NestedBlock,
    steps: &'s [TraversalStep<'t>],
    out: &mut Diagnostics,
) -> Option<&'s [TraversalStep<'t>]> {
    if matches!(block.nesting, Nesting::Single | Nesting::Group) {
        return Some(steps);
    }
    let (step, rest) = steps.split_first()?;
    match (block.nesting, &step.key) {
        (Nesting::Set, _) => {
            let detail = format!(
                "The {name:?} blocks are a set, whose elements have no keys or indexes. Use a for expression, or a splat if the attribute of every element is meant."
            );
            out.push(Diagnostic::tool(&codes::SET_INDEX, step.span, detail));
            None
        }
        (Nesting::List, TraversalKey::Attr(_)) => {
            let detail = format!(
                "The {name:?} blocks are a list. Select one of them by its index, such as `{name}[0]`, or all of them with `{name}[*]`."
            );
            out.push(Diagnostic::tool(&codes::INVALID_OPERATION, step.span, detail));
            None
        }
        _ => Some(rest),
    }
}

/// Applies steps to an unknown value of an attribute's type, as an expression does.
fn follow(mut value: Value, steps: &[TraversalStep<'_>], late: bool, out: &mut Diagnostics) {
    for step in steps.charged(4) {
        let (selected, verdict) = out.watch(|out| {
            Some(match &step.key {
                TraversalKey::Attr(name) => eval::attribute(&value, name, step.span, out),
                TraversalKey::IndexText(text) => eval::index(&value, &Value::text(text), step.span, late, out),
                TraversalKey::IndexNumber(digits) => {
                    eval::index(&value, &Value::number(Number::parse(digits).ok()?), step.span, late, out)
                }
                TraversalKey::IndexBool(key) => eval::index(&value, &Value::from(*key), step.span, late, out),
                TraversalKey::IndexNull => eval::index(&value, &Value::null(Type::Dynamic), step.span, late, out),
                TraversalKey::IndexOther => return None,
            })
        });
        match selected {
            Some(selected) if !verdict.failed() => value = selected,
            _ => return,
        }
    }
}
