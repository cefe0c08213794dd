//! The type and the default of an input variable, which are read on demand.

use std::cell::OnceCell;
use std::fmt;

use overfold_base::diag::Diagnostics;
use overfold_eval::{self as eval, TypeConstraint, TypeRules};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{ConvertError, Type, Value, convert};

/// The decoded parts of a variable block. For an override, only the parts in that block.
#[derive(Clone, Debug)]
pub struct Variable<'f> {
    constraint: OnceCell<Option<TypeConstraint>>,
    default: OnceCell<Option<Value>>,
    unread: Option<VariableExprs<'f>>,
    /// The flag `nullable`, if it is given; false if it cannot be read.
    pub nullable: Option<bool>,
}

/// The content of a variable block, as values.
#[derive(Clone, Debug, Default)]
pub struct VariableParts {
    /// The type, if one is given; `any` if it could not be read.
    pub constraint: Option<TypeConstraint>,
    /// The default, if one is given, converted to the type in the same block. Unknown if the conversion failed or the
    /// expression is not constant.
    pub default: Option<Value>,
}

/// Expressions that are known to be valid and have not been needed as values yet.
#[derive(Clone, Copy)]
pub struct VariableExprs<'f> {
    /// The forest that contains the expressions.
    pub forest: &'f Forest,
    /// The type.
    pub constraint: Option<(ExprAt, TypeRules)>,
    /// The default.
    pub default: Option<ExprAt>,
}

impl fmt::Debug for VariableExprs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("constraint", &self.constraint).field("default", &self.default).finish()
    }
}

impl<'f> Variable<'f> {
    /// Creates a variable from parts that have been read.
    pub fn read(parts: VariableParts, nullable: Option<bool>) -> Self {
        let VariableParts { constraint, default } = parts;
        Self { constraint: OnceCell::from(constraint), default: OnceCell::from(default), unread: None, nullable }
    }

    /// Creates a variable from expressions that are valid together ([`eval::certainly_fits`]).
    pub const fn unread(unread: VariableExprs<'f>, nullable: Option<bool>) -> Self {
        Self { constraint: OnceCell::new(), default: OnceCell::new(), unread: Some(unread), nullable }
    }

    /// Returns the type, if one is given; `any` if it could not be read.
    pub fn constraint(&self) -> Option<&TypeConstraint> {
        self.constraint.get_or_init(|| self.unread?.constraint()).as_ref()
    }

    /// Returns the type of the values of the variable: the constraint with every attribute required; any if none is given.
    pub fn value_type(&self) -> Type {
        match (self.constraint.get(), &self.unread) {
            (None, Some(VariableExprs { forest, constraint: Some((expr, rules)), .. })) => {
                eval::value_type(forest, *expr, *rules)
            }
            _ => self.constraint().map_or(Type::Dynamic, |constraint| constraint.ty.without_optional()),
        }
    }

    /// Returns the default, if one is given, converted to the type in the same block. Unknown if the conversion failed
    /// or the expression is not constant.
    pub fn default(&self) -> Option<&Value> {
        self.default.get_or_init(|| self.unread?.default(self.constraint())).as_ref()
    }

    /// Whether there is a default.
    pub fn has_default(&self) -> bool {
        match (&self.unread, self.default.get()) {
            (Some(unread), None) => unread.default.is_some(),
            _ => self.default().is_some(),
        }
    }

    /// Takes the parts out of the variable, to be merged.
    pub fn take_parts(&mut self) -> VariableParts {
        self.constraint();
        self.default();
        self.unread = None;
        VariableParts {
            constraint: self.constraint.take().unwrap_or_default(),
            default: self.default.take().unwrap_or_default(),
        }
    }

    /// Sets the parts again.
    pub fn set_parts(&mut self, parts: VariableParts) {
        self.constraint = OnceCell::from(parts.constraint);
        self.default = OnceCell::from(parts.default);
    }
}

// The expressions are valid, so nothing is reported.
impl VariableExprs<'_> {
    fn constraint(self) -> Option<TypeConstraint> {
        let (expr, rules) = self.constraint?;
        Some(eval::type_constraint(self.forest, expr, rules, &mut Diagnostics::new()))
    }

    fn default(self, constraint: Option<&TypeConstraint>) -> Option<Value> {
        let value = eval::constant(self.forest, self.default?, &mut Diagnostics::new());
        Some(stored_default(value, constraint).unwrap_or_else(|_| Value::dynamic()))
    }
}

/// Returns a default as the tool holds it: converted, with the defaults of optional attributes filled in.
///
/// # Errors
/// [`ConvertError`] if it cannot be converted.
pub fn stored_default(value: Value, constraint: Option<&TypeConstraint>) -> Result<Value, ConvertError> {
    let Some(constraint) = constraint else { return Ok(value) };
    match &constraint.defaults {
        Some(defaults) if !value.is_null() => convert(&defaults.apply(&value), &constraint.ty),
        _ => convert(&value, &constraint.ty),
    }
}
