//! Variables and outputs: types and defaults (terraform.md, sections 7.6 and 10.3.5).

use crate::decode::{Decoder, codes, default_lint};
use overfold_base::diag::Diagnostic;
use overfold_dialect::{AttrKind, Behaviour, BlockSpec, TypeForm, words};
use overfold_eval::{self as eval, TypeConstraint, TypeRules, hcl1};
use overfold_model::body::content::BodyAt;
use overfold_model::config::{
    Argument, Block, DecodedArgument, Hcl1Variable, Payload, Variable, VariableExprs, VariableParts, stored_default,
};
use overfold_syntax::ExprAt;
use overfold_value::{Hcl1Type, Hcl1Value, Value};

impl<'f> Decoder<'f, '_> {
    /// Decodes the parts of an element that are held in addition to its block.
    pub(super) fn payload(&mut self, spec: &'static BlockSpec, block: &Block<'_>, body: BodyAt) -> Payload<'f> {
        if spec.attrs.iter().any(|row| matches!(row.kind, AttrKind::Hcl1Default)) {
            return self.hcl1_variable(spec, block, body);
        }
        let of_kind = |wanted: fn(&AttrKind) -> bool| {
            block.arguments.iter().find(|argument| argument.spec.is_some_and(|row| wanted(&row.kind)))
        };
        let form = |argument: &Argument<'_>| match argument.spec.map(|row| row.kind) {
            Some(AttrKind::TypeConstraint(form)) => Some((argument.expr, form)),
            _ => None,
        };
        let typed = of_kind(|kind| matches!(kind, AttrKind::TypeConstraint(_)));
        let typed = typed.and_then(form).map(|(expr, form)| {
            (
                expr,
                TypeRules {
                    repeated_attributes: self.dialect.has(Behaviour::RepeatedTypeAttributes),
                    ..type_rules(form)
                },
            )
        });
        if !spec.traits.default_fits_type {
            let constraint = typed.map(|(expr, rules)| eval::type_constraint(self.forest, expr, rules, self.out));
            return constraint.map_or(Payload::None, |constraint| Payload::Output(Box::new(constraint)));
        }
        let nullable = block.argument(words::NULLABLE);
        // If it cannot be read, it is treated as false.
        let nullable = nullable.map(|argument| matches!(argument.decoded, DecodedArgument::Bool(true)));
        let default = of_kind(|kind| matches!(kind, AttrKind::Default));
        let unread =
            VariableExprs { forest: self.forest, constraint: typed, default: default.map(|argument| argument.expr) };
        if eval::certainly_fits(self.forest, typed, unread.default, nullable != Some(false)) {
            return Payload::Variable(Box::new(Variable::unread(unread, nullable)));
        }
        let constraint = typed.map(|(expr, rules)| eval::type_constraint(self.forest, expr, rules, self.out));
        let default = default.map(|argument| {
            if spec.traits.default_loses_nothing
                && let Some(constraint) = &constraint
            {
                default_lint::lost_attributes(self.forest, argument.expr, &constraint.ty, self.out);
            }
            self.default(argument.expr, constraint.as_ref(), nullable)
        });
        Payload::Variable(Box::new(Variable::read(VariableParts { constraint, default }, nullable)))
    }

    /// Decodes a variable with plain values. Whatever is not certainly given is treated as absent, but a default that
    /// cannot be read still counts as a default (variables.md, sections B1 and B5).
    fn hcl1_variable(&mut self, spec: &'static BlockSpec, block: &Block<'_>, body: BodyAt) -> Payload<'f> {
        let BodyAt::Native(source, body) = body else { return Payload::None };
        let body = (source, body);
        let name = block.labels.first().map_or("", |label| label.text);
        let field = |wanted: fn(&AttrKind) -> bool| {
            spec.attrs.iter().find(|row| wanted(&row.kind)).map_or("", |row| row.name)
        };
        let mut variable = Hcl1Variable::default();
        match hcl1::decode_text_field(self.forest, body, field(|kind| matches!(kind, AttrKind::Hcl1Type)), self.out) {
            Ok(None) => {}
            Ok(Some((word, _))) if word.is_empty() => {}
            Ok(Some((word, at))) => {
                variable.declared = Hcl1Type::named(&word);
                if variable.declared.is_none() {
                    let known = Hcl1Type::ALL.map(Hcl1Type::name).join(", ");
                    let title =
                        format!("Variable '{name}' type must be one of [{known}] - '{word}' is not a valid type");
                    let detail = "In this version the type of a variable is \"string\", \"list\" or \"map\"; numbers and booleans have the type \"string\".";
                    self.out.push(Diagnostic::tool(&codes::PLAIN_TYPE, at, detail).titled(title));
                }
            }
            Err(error) => self.undecodable(&error),
        }
        let default = field(|kind| matches!(kind, AttrKind::Hcl1Default));
        match hcl1::decode_field(self.forest, body, default, self.out) {
            Ok(None) => {}
            Ok(Some((default, at))) => {
                let found = Hcl1Type::inferred(Some(&default));
                variable.default = match (variable.declared, default.as_text()) {
                    (Some(Hcl1Type::String), Some(text)) => Some(Hcl1Value::Text(text)),
                    _ => Some(default),
                };
                if let Some(declared) = variable.declared
                    && found != declared
                {
                    variable.broken = true;
                    let title =
                        format!("'{name}' has a default value which is not of type '{declared}' (got '{found}')");
                    let detail = format!(
                        "The default has the type {found}, but the declared type is {declared}. Change one of them so that they match."
                    );
                    self.out.push(Diagnostic::tool(&codes::PLAIN_DEFAULT, at, detail).titled(title));
                }
            }
            Err(error) => {
                variable.broken = true;
                self.undecodable(&error);
            }
        }
        Payload::Hcl1Variable(Box::new(variable))
    }

    /// Reports items that cannot be decoded, unless the parser has already reported an error there.
    fn undecodable(&mut self, error: &hcl1::DecodeError) {
        if !error.reported {
            let detail = format!("The value cannot be used here: {}.", error.why);
            self.out.push(Diagnostic::tool(&codes::PLAIN_UNDECODABLE, error.at, detail));
        }
    }

    /// Returns a default as the loader holds it: converted to the type in the same block, and unknown if that fails.
    fn default(&mut self, expr: ExprAt, constraint: Option<&TypeConstraint>, nullable: Option<bool>) -> Value {
        let at = self.forest.expr_span(expr);
        let value = eval::constant(self.forest, expr, self.out);
        let value = stored_default(value, constraint).unwrap_or_else(|error| {
            let detail = format!("The default cannot be converted to the type of the variable: {error}.");
            self.out.push(Diagnostic::tool(&codes::INVALID_DEFAULT, at, detail));
            Value::dynamic()
        });
        if nullable == Some(false) && value.is_null() {
            let detail = "The default is null, but the variable has `nullable = false`. Use another default, or remove it to make the variable required.";
            self.out.push(Diagnostic::tool(&codes::INVALID_DEFAULT, at, detail));
        }
        value
    }
}

const fn type_rules(form: TypeForm) -> TypeRules {
    match form {
        TypeForm::WithLegacy => TypeRules::VARIABLE,
        TypeForm::LegacyWithoutDefaults => TypeRules::VARIABLE_WITHOUT_DEFAULTS,
        TypeForm::Plain => TypeRules::OUTPUT,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::decode::default_lint;
    use overfold_base::diag::{Diagnostics, SourceId};
    use overfold_eval::{self as eval, TypeRules};
    use overfold_model::config::stored_default;
    use overfold_syntax::tree::Root;
    use overfold_syntax::{ExprAt, Forest};

    fn constant_text() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("1".to_owned()),
            Just("-2.5".to_owned()),
            Just("1e3".to_owned()),
            Just("\"x\"".to_owned()),
            Just("\"12\"".to_owned()),
            Just("\"true\"".to_owned()),
            Just("\"a${1}\"".to_owned()),
            Just("\"${true}\"".to_owned()),
            Just("<<E\nx\nE\n".to_owned()),
            Just("true".to_owned()),
            Just("null".to_owned()),
            Just("1 + 1".to_owned()),
            Just("upper(\"x\")".to_owned()),
            Just("var.x".to_owned()),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let member =
                (prop_oneof![Just("a"), Just("b"), Just("\"c\""), Just("(\"d\")"), Just("1")], inner.clone());
            prop_oneof![
                prop::collection::vec(inner, 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
                prop::collection::vec(member, 0..4).prop_map(|members| {
                    let members: Vec<String> =
                        members.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
                    format!("{{\n{}\n}}", members.join("\n"))
                }),
            ]
        })
    }

    fn type_text() -> impl Strategy<Value = String> {
        let leaf =
            prop_oneof![Just("string"), Just("number"), Just("bool"), Just("any"), Just("strin"), Just("list")];
        leaf.prop_map(str::to_owned).prop_recursive(3, 12, 3, |inner| {
            let attribute = (0..4_u8, inner.clone(), constant_text()).prop_map(|(kind, ty, default)| match kind {
                0 | 1 => ty,
                2 => format!("optional({ty})"),
                _ => format!("optional({ty}, {default})"),
            });
            let member = (prop_oneof![Just("a"), Just("b"), Just("c")], attribute);
            prop_oneof![
                (prop_oneof![Just("list"), Just("set"), Just("map")], inner.clone())
                    .prop_map(|(of, element)| format!("{of}({element})")),
                prop::collection::vec(inner, 0..3).prop_map(|items| format!("tuple([{}])", items.join(", "))),
                prop::collection::vec(member, 0..4).prop_map(|members| {
                    let members: Vec<String> = members.into_iter().map(|(key, ty)| format!("{key} = {ty}")).collect();
                    format!("object({{\n{}\n}})", members.join("\n"))
                }),
            ]
        })
    }

    fn parse(forest: &Forest, text: &str) -> Option<ExprAt> {
        let mut out = Diagnostics::new();
        let source: SourceId = forest.parse_detached_expression("x", text.to_owned().into(), &mut out);
        match forest.native(source)?.root {
            Root::Expr(id) if !out.has_errors() => Some(ExprAt::Native(source, id)),
            _ => None,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Types and defaults that are read lazily would not yield any diagnostics if they were read immediately.
        #[test]
        fn known_valid_types_are_read_without_findings(
            ty in prop::option::of(type_text()),
            default in prop::option::of(constant_text()),
            nullable in any::<bool>(),
            optional_defaults in any::<bool>(),
        ) {
            let forest = Forest::default();
            let rules = TypeRules { optional_defaults, ..TypeRules::VARIABLE };
            let typed = ty.as_deref().map(|text| parse(&forest, text));
            let given = default.as_deref().map(|text| parse(&forest, text));
            prop_assume!(typed != Some(None) && given != Some(None));
            let typed = typed.flatten().map(|expr| (expr, rules));
            let given = given.flatten();
            if eval::certainly_fits(&forest, typed, given, nullable) {
                let mut out = Diagnostics::new();
                let constraint = typed.map(|(expr, rules)| eval::type_constraint(&forest, expr, rules, &mut out));
                if let Some(expr) = given {
                    let value = eval::constant(&forest, expr, &mut out);
                    prop_assert!(nullable || !value.is_null());
                    let held = stored_default(value, constraint.as_ref());
                    prop_assert!(held.is_ok_and(|held| held.is_wholly_known()));
                    if let Some(constraint) = &constraint {
                        default_lint::lost_attributes(&forest, expr, &constraint.ty, &mut out);
                    }
                }
                let found: Vec<_> = out.iter().map(|found| &found.detail).collect();
                prop_assert!(found.is_empty(), "{:?}", found);
            }
        }
    }

    #[test]
    fn ordinary_variables_are_known_to_be_valid() {
        for (ty, default) in [
            ("string", "\"x\""),
            ("number", "-1.5"),
            ("list(string)", "[\"a\", \"b\"]"),
            ("map(any)", "{}"),
            ("object({a = string, b = optional(list(number), [1])})", "{a = \"x\"}"),
            ("any", "{a = [1, \"x\"], \"b\" = null}"),
        ] {
            let forest = Forest::default();
            let (ty, default) = (parse(&forest, ty).unwrap(), parse(&forest, default).unwrap());
            assert!(eval::certainly_fits(&forest, Some((ty, TypeRules::VARIABLE)), Some(default), true), "{ty:?}");
        }
    }
}
