//! The type and the default of an input variable, read when somebody asks for them.

use std::cell::OnceCell;
use std::fmt;

use crate::diag::Diagnostics;
use crate::eval::{self, TypeConstraint, TypeRules};
use crate::syntax::{ExprAt, Forest};
use crate::value::{ConvertError, Value, convert};

/// The decoded parts of a variable block. Of an override only what stands in that block.
#[derive(Clone, Debug)]
pub struct Variable<'f> {
    parts: OnceCell<VariableParts>,
    unread: Option<Unread<'f>>,
    /// The flag `nullable`, where it is given; false where it cannot be read.
    pub nullable: Option<bool>,
}

/// What a variable block says, as values.
#[derive(Clone, Debug, Default)]
pub struct VariableParts {
    /// The type, where one is given; any when it could not be read.
    pub constraint: Option<TypeConstraint>,
    /// The default, where one is given: converted to the type of the same block; not known when that failed or the
    /// expression is not a constant.
    pub default: Option<Value>,
}

/// Expressions that are known to be valid and that nobody has needed as values yet.
#[derive(Clone, Copy)]
pub struct Unread<'f> {
    /// Where they stand.
    pub forest: &'f Forest,
    /// The type.
    pub constraint: Option<(ExprAt, TypeRules)>,
    /// The default.
    pub default: Option<ExprAt>,
}

impl fmt::Debug for Unread<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("constraint", &self.constraint).field("default", &self.default).finish()
    }
}

impl<'f> Variable<'f> {
    /// Of parts that have been read.
    pub fn read(parts: VariableParts, nullable: Option<bool>) -> Self {
        Self { parts: OnceCell::from(parts), unread: None, nullable }
    }

    /// Of expressions that are valid together ([`eval::fits_surely`]).
    pub const fn unread(unread: Unread<'f>, nullable: Option<bool>) -> Self {
        Self { parts: OnceCell::new(), unread: Some(unread), nullable }
    }

    /// The type, where one is given; any when it could not be read.
    pub fn constraint(&self) -> Option<&TypeConstraint> {
        self.parts().constraint.as_ref()
    }

    /// The default, where one is given: converted to the type of the same block; not known when that failed or the
    /// expression is not a constant.
    pub fn default(&self) -> Option<&Value> {
        self.parts().default.as_ref()
    }

    /// Whether a default is given.
    pub fn has_default(&self) -> bool {
        match (&self.unread, self.parts.get()) {
            (Some(unread), None) => unread.default.is_some(),
            _ => self.default().is_some(),
        }
    }

    /// The parts, to be put together anew.
    pub fn take_parts(&mut self) -> VariableParts {
        self.parts();
        self.unread = None;
        self.parts.take().unwrap_or_default()
    }

    /// Puts the parts back.
    pub fn set_parts(&mut self, parts: VariableParts) {
        self.parts = OnceCell::from(parts);
    }

    fn parts(&self) -> &VariableParts {
        self.parts.get_or_init(|| self.unread.map_or_else(VariableParts::default, Unread::parts))
    }
}

impl Unread<'_> {
    fn parts(self) -> VariableParts {
        // They are valid, so nothing is reported.
        let mut nothing = Diagnostics::new();
        let constraint =
            self.constraint.map(|(expr, rules)| eval::type_constraint(self.forest, expr, rules, &mut nothing));
        let default = self.default.map(|expr| {
            let value = eval::constant(self.forest, expr, &mut nothing);
            held_default(value, constraint.as_ref()).unwrap_or_else(|_| Value::dynamic())
        });
        VariableParts { constraint, default }
    }
}

/// A default as the tool holds it: with the defaults of optional attributes filled in, and converted.
///
/// # Errors
/// When it cannot be converted.
pub fn held_default(value: Value, constraint: Option<&TypeConstraint>) -> Result<Value, ConvertError> {
    let Some(constraint) = constraint else { return Ok(value) };
    match &constraint.defaults {
        Some(defaults) if !value.is_null() => convert(&defaults.apply(&value), &constraint.ty),
        _ => convert(&value, &constraint.ty),
    }
}
