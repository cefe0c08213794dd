//! The body of an object, provider block, provisioner or connection against its schema (plan-schema.md, sections 2, 6
//! and 10; validate.md, sections 3, 4 and 7).
//!
//! - [`expressions`]: everything in a body in which the tool searches for references before anything is evaluated, which
//!   decides what depends on what.
//! - [`expanded_expressions`]: the same once dynamic blocks are replaced by what they generate, which is what the tool
//!   reports about references. For a body without a schema [`check`] says the same on its way.
//! - [`check`]: evaluates a body and compares it with the schema. Without a schema, only what is evaluated is reported,
//!   and names of arguments and blocks are not judged.
//!
//! A dynamic block whose collection is not known stands for one block of which nothing is known: its content is compared
//! with the schema by names, but neither searched nor evaluated, apart from dynamic blocks inside. With a known collection
//! there is a block for each element, and everything that is wrong in the content is reported for each of them.

pub mod codes;
mod decode;
mod empty;
mod ephemeral;
mod expand;
mod hidden;
mod marked;
mod merged;
mod open;
mod provided;
mod provider_checks;
mod read;
mod references;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::Arc;

use super::deprecated::plain;
use overfold_base::diag::{Diagnostics, Reporting, Span};
use overfold_eval::Roots;
use overfold_model::config::Block;
use overfold_model::schema::BodySchema;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::Value;

pub use empty::empty_body;
pub use hidden::HiddenExpansions;
pub use marked::FollowedMarks;
pub use provided::{check_builtin_object, check_provisioner};
pub use provider_checks::{check_with_provider, is_of_provider};
pub use read::{BodyLevel, Reader};
pub use references::{BodyExpr, Role, dynamic_parts, expanded_expressions, expressions, expressions_at};

use expand::Expander;
use marked::Marked;

/// What the check of a body asks of its caller.
pub trait Evaluate {
    /// Evaluates an expression that sees `iterators`, those of the dynamic blocks around it, beside the names of the
    /// module. Reports only what is wrong with the evaluation.
    fn evaluate(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value;

    /// Like [`Self::evaluate`], for an expression whose value does not matter.
    fn check(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) {
        self.evaluate(expr, iterators, out);
    }

    /// Takes an argument of a body without a schema in which the tool searches for references, once for each block that is
    /// generated from it: what [`expanded_expressions`] returns for a body with one.
    fn search(&mut self, _expr: ExprAt) {}

    /// Like [`Self::evaluate`], for the `for_each` and the labels of dynamic blocks. If a reference in one of those of a
    /// body leads nowhere by itself (validate.md, section 3, step 1), the tool evaluates all of them without the names of
    /// the module, and then each reports `Unknown variable`.
    fn evaluate_expansion(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        self.evaluate(expr, iterators, out)
    }

    /// Whether the `for_each` of a dynamic block must not have marks.
    fn refuses_marked_dynamics(&self) -> bool {
        false
    }

    /// Which marks of values are followed to where they come from.
    fn followed(&self) -> FollowedMarks {
        FollowedMarks::default()
    }
}

/// A body to be checked.
#[derive(Clone, Copy)]
pub struct Body<'b, 'f> {
    /// The texts and trees.
    pub forest: &'f Forest,
    /// The merged block. Its body is what has no row.
    pub block: &'b Block<'f>,
    /// A block that `block` overrides, although neither knows of the other: the connection of a resource below that of a
    /// provisioner.
    pub base: Option<&'b Block<'f>>,
    /// The schema; `None` if it is not known.
    pub schema: Option<&'b BodySchema>,
    /// Whether ephemeral values may only be given to write-only attributes: in managed resources and data sources.
    pub refuses_ephemeral: bool,
    /// Whether ephemeral parts of an object are reported at the body, not at the argument.
    pub lifts_ephemeral_parts: bool,
}

impl<'b, 'f> Body<'b, 'f> {
    /// Returns the body of a block that may hold ephemeral values.
    pub const fn new(forest: &'f Forest, block: &'b Block<'f>, schema: Option<&'b BodySchema>) -> Self {
        Self { forest, block, base: None, schema, refuses_ephemeral: false, lifts_ephemeral_parts: false }
    }
}

/// What a body was found to be.
pub struct BodyOutcome {
    /// The value: unknown where that is not known, with the marks of what was given. Without a schema nothing is known
    /// about it.
    pub value: Value,
    /// Whether the evaluation and the comparison with the schema found no error. Only then does the tool look at what
    /// depends on the value; ephemeral values where they may not be are no obstacle.
    pub is_sound: bool,
}

/// Evaluates a body and compares it with its schema: step 3 of validate.md, section 3, for a body whose references are
/// sound. If `for_each` or labels of dynamic blocks have unsound references, the body is checked all the same. If expressions
/// have used up their share of the account, dynamic blocks stand for an unknown number of blocks; the caller reports that
/// once ([`overfold_eval::report_exhaustion`]).
pub fn check(body: &Body<'_, '_>, evaluate: &mut dyn Evaluate, out: &mut Diagnostics) -> BodyOutcome {
    let reader = Reader::new(body);
    let followed = evaluate.followed();
    let follows = FollowedMarks { ephemeral: followed.ephemeral && body.refuses_ephemeral, ..followed };
    let mut expander = Expander::new(&reader, evaluate);
    expander.marked = body.schema.filter(|_| follows.is_any()).map(|_| Marked::new(&reader, follows));
    let (value, verdict) = out.watch(|out| match body.schema {
        Some(schema) => expander.whole_body(schema, out),
        None => {
            expander.open_body(out);
            Value::dynamic()
        }
    });
    let is_sound = !verdict.failed();
    if let Some(marked) = expander.marked.take().filter(|_| is_sound) {
        marked.finish(out);
    }
    if let Some(schema) = body.schema.filter(|_| body.refuses_ephemeral && !followed.ephemeral && is_sound) {
        ephemeral::check(&reader, schema, &value, body.lifts_ephemeral_parts, out);
    }
    let value = if followed.deprecated { plain(&value) } else { value };
    BodyOutcome { value, is_sound }
}

/// Evaluates a body without comparing it with a schema: an object of what is written in it. Whatever cannot be evaluated is
/// reported, and unknown.
pub fn open_value(body: &Body<'_, '_>, evaluate: &mut dyn Evaluate, out: &mut Diagnostics) -> Value {
    let reader = Reader::new(body);
    Expander::new(&reader, evaluate).open_value(out)
}

/// Returns where the tool reports what it finds about a body as a whole: its opening brace.
pub fn start(body: &Body<'_, '_>) -> Span {
    Reader::new(body).missing_item()
}

/// The names bound in a part of a body, outermost first.
type BoundNames = Rc<[Arc<str>]>;
