//! Variables and outputs: types and defaults (terraform.md, section 7, variable; section 10.3, output type).

use super::{Decoder, default_lint};
use crate::diag::Diagnostic;
use crate::dialect::{AttrKind, BlockSpec, Check, TypeForm};
use crate::eval::{self, TypeConstraint, TypeRules};
use crate::load::codes;
use crate::load::element::{Argument, Block, Decoded, Payload, Variable};
use crate::syntax::ExprAt;
use crate::value::{Value, convert};

impl Decoder<'_, '_> {
    /// What an element holds beside its block.
    pub(super) fn payload(&mut self, spec: &'static BlockSpec, block: &Block) -> Payload {
        let of_kind = |wanted: fn(&AttrKind) -> bool| {
            block.arguments.iter().find(|argument| argument.spec.is_some_and(|row| wanted(&row.kind)))
        };
        let form = |argument: &Argument| match argument.spec.map(|row| row.kind) {
            Some(AttrKind::TypeConstraint(form)) => Some((argument.expr, form)),
            _ => None,
        };
        let typed = of_kind(|kind| matches!(kind, AttrKind::TypeConstraint(_)));
        let constraint = typed.and_then(form).map(|(expr, form)| self.type_constraint(expr, form));
        if !spec.checks(Check::DefaultFitsType) {
            return constraint.map_or(Payload::None, |constraint| Payload::Output(Box::new(constraint)));
        }
        let nullable = block.arguments.iter().find(|argument| argument.name.as_ref() == "nullable");
        // Where it cannot be read it counts as false.
        let nullable = nullable.map(|argument| matches!(argument.decoded, Decoded::Bool(true)));
        let default = of_kind(|kind| matches!(kind, AttrKind::Default)).map(|argument| {
            if spec.checks(Check::DefaultLosesNothing)
                && let Some(constraint) = &constraint
            {
                default_lint::lost_attributes(self.forest, argument.expr, &constraint.ty, self.out);
            }
            self.default(argument.expr, constraint.as_ref(), nullable)
        });
        Payload::Variable(Box::new(Variable { constraint, default, nullable }))
    }

    fn type_constraint(&mut self, expr: ExprAt, form: TypeForm) -> TypeConstraint {
        let rules = match form {
            TypeForm::WithLegacy => TypeRules::VARIABLE,
            TypeForm::LegacyWithoutDefaults => TypeRules::VARIABLE_WITHOUT_DEFAULTS,
            TypeForm::Plain => TypeRules::OUTPUT,
        };
        eval::type_constraint(self.forest, expr, rules, self.out)
    }

    /// A default as the loader holds it: converted to the type of its own block, not known where that fails.
    fn default(&mut self, expr: ExprAt, constraint: Option<&TypeConstraint>, nullable: Option<bool>) -> Value {
        let mut value = eval::constant(self.forest, expr, self.out);
        let at = self.forest.expr_span(expr);
        if let Some(constraint) = constraint {
            if let Some(defaults) = &constraint.defaults
                && !value.is_null()
            {
                value = defaults.apply(&value);
            }
            value = match convert(&value, &constraint.ty) {
                Ok(converted) => converted,
                Err(error) => {
                    let detail = format!("The default does not fit the type of the variable: {error}.");
                    self.out.push(Diagnostic::tool(&codes::INVALID_DEFAULT, at, detail));
                    Value::dynamic()
                }
            };
        }
        if nullable == Some(false) && value.is_null() {
            let detail = "The default is null, and the variable does not take null.";
            self.out.push(Diagnostic::tool(&codes::INVALID_DEFAULT, at, detail));
        }
        value
    }
}
