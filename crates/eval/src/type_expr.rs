//! Type constraints as written in configurations: `object({a = optional(string, "x")})` (terraform.md, section 5.9;
//! variables.md, sections A5 and A6).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};

use super::{codes, constant, error, references};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, Reporting, Span, TextRange};
use overfold_base::nearest::nearest;
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{AttributeType, Defaults, Type, convert, normalized, with_stack};

/// The result of reading a type expression.
#[derive(Clone, Debug)]
pub struct TypeConstraint {
    /// The constraint; any if it could not be read.
    pub ty: Type,
    /// The defaults of optional attributes, if there are any.
    pub defaults: Option<Defaults>,
}

impl TypeConstraint {
    const ANY: Self = Self { ty: Type::Dynamic, defaults: None };

    /// Returns whether text given for a variable of this type is the value itself, not an expression (variables.md,
    /// section A2).
    pub const fn takes_text_literally(&self) -> bool {
        self.ty.is_primitive()
    }
}

/// The variant of the type language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeRules {
    /// Whether `optional(type, default)` is allowed, not only `optional(type)` (mainline 1.3).
    pub optional_defaults: bool,
    /// Whether legacy forms are recognised, as for variables: bare `list` and `map` mean a list or map of any, and
    /// quoted types get a specific diagnostic. Not for the types of outputs.
    pub legacy: bool,
    /// Whether an object type may declare an attribute twice, the last one being the one that counts.
    pub repeated_attributes: bool,
}

impl TypeRules {
    /// The rules for types of variables.
    pub const VARIABLE: Self = Self { optional_defaults: true, legacy: true, repeated_attributes: false };
    /// The rules for types of outputs.
    pub const OUTPUT: Self = Self { optional_defaults: true, legacy: false, repeated_attributes: false };
    /// The rules for types of variables in versions without defaults of optional attributes.
    pub const VARIABLE_WITHOUT_DEFAULTS: Self =
        Self { optional_defaults: false, legacy: true, repeated_attributes: false };
}

/// Reads a type constraint in either syntax (in JSON, a string that contains one). If it has errors, the result is any.
pub fn type_constraint(forest: &Forest, expr: ExprAt, rules: TypeRules, out: &mut Diagnostics) -> TypeConstraint {
    let (expr, span) = match expr {
        ExprAt::Native(..) => (Some(expr), forest.expr_span(expr)),
        ExprAt::Json(source, node) => {
            let span = forest.expr_span(expr);
            let mut quiet = Diagnostics::new();
            let inner = forest.parse_json_expression(source, node, &mut quiet);
            // A string that is not an expression is not a type either; diagnostics point at the string.
            (inner.filter(|_| !quiet.has_errors()), span)
        }
    };
    let invalid = |out: &mut Diagnostics| {
        out.push(error(&codes::INVALID_TYPE, span, NO_TYPE));
        TypeConstraint::ANY
    };
    let Some(ExprAt::Native(source, id)) = expr else { return invalid(out) };
    let Some(tree) = forest.native(source) else { return invalid(out) };
    if rules.legacy {
        if matches!(tree.expr(id).kind, ExprKind::Template { .. }) && tree.span(tree.expr(id).range) == span {
            return quoted(forest, ExprAt::Native(source, id), span, out);
        }
        match references::keyword(tree, id) {
            Some("list") => return TypeConstraint { ty: Type::list(Type::Dynamic), defaults: None },
            Some("map") => return TypeConstraint { ty: Type::map(Type::Dynamic), defaults: None },
            _ => {}
        }
    }
    let ((ty, defaults), verdict) = out.watch(|out| Reader { forest, tree, rules }.read(id, Some(span), out));
    if verdict.failed() { TypeConstraint::ANY } else { TypeConstraint { ty, defaults } }
}

const NO_TYPE: &str =
    "Expected a type: string, number, bool, any, list(…), set(…), map(…), object({…}) or tuple([…]).";

/// Suggests what to write instead of `word`, which is not the name of a type.
fn suggest_type(word: &str) -> Cow<'static, str> {
    const NAMES: [&str; 9] = ["string", "number", "bool", "any", "list", "set", "map", "object", "tuple"];
    match nearest(word, NAMES) {
        Some(name) => format!("Did you mean \"{name}\"?").into(),
        None => NO_TYPE.into(),
    }
}

/// Reports a native string in place of a type, the form used before version 0.12.
fn quoted(forest: &Forest, expr: ExprAt, span: Span, out: &mut Diagnostics) -> TypeConstraint {
    let (value, verdict) = out.watch(|out| constant(forest, expr, out));
    if verdict.failed() {
        return TypeConstraint::ANY;
    }
    match value.as_text() {
        Some(word @ ("string" | "list" | "map")) => {
            let instead = if word == "string" { word.to_owned() } else { format!("{word}(any)") };
            let detail = format!("Types are written without quotes since version 0.12. Write {instead}.");
            let finding = error(&codes::QUOTED_TYPE, span, detail);
            // A heredoc includes the end of its line, which the replacement would not.
            let is_quoted = forest.sources.bytes(span).starts_with(b"\"");
            out.push(if is_quoted { finding.fixed_by(span, instead) } else { finding });
        }
        _ => out.push(error(&codes::LEGACY_TYPE_HINT, span, "Types are written without quotes. Remove the quotes.")),
    }
    TypeConstraint::ANY
}

struct Reader<'t> {
    forest: &'t Forest,
    tree: &'t Tree,
    rules: TypeRules,
}

/// A call inside a type expression.
struct Call<'t> {
    name: &'t str,
    name_range: TextRange,
    args: &'t [Id<Expr>],
    args_range: TextRange,
}

impl<'t> Reader<'t> {
    fn span(&self, range: TextRange) -> Span {
        self.tree.span(range)
    }

    fn range(&self, id: Id<Expr>) -> TextRange {
        self.tree.expr(id).range
    }

    fn call(&self, id: Id<Expr>) -> Option<Call<'t>> {
        match self.tree.expr(id).kind {
            ExprKind::Call(id) => {
                let call = self.tree.call(id);
                Some(Call {
                    name: self.tree.str(call.name),
                    name_range: call.name_range,
                    args: self.tree.list(call.args),
                    args_range: call.args_range(),
                })
            }
            _ => None,
        }
    }

    /// Reads a type; `place` is where diagnostics about the whole expression point, if not at itself.
    fn read(&self, id: Id<Expr>, place: Option<Span>, out: &mut Diagnostics) -> (Type, Option<Defaults>) {
        if let Some(ty) = references::keyword(self.tree, id).and_then(simple) {
            account::work(2);
            return (ty, None);
        }
        with_stack(|| self.read_type(id, place.unwrap_or_else(|| self.span(self.range(id))), out))
    }

    fn read_type(&self, id: Id<Expr>, whole: Span, out: &mut Diagnostics) -> (Type, Option<Defaults>) {
        account::work(2);
        let mut invalid = |place: Span, detail: String| {
            out.push(error(&codes::INVALID_TYPE, place, detail).within(whole));
            (Type::Dynamic, None)
        };
        if let Some(word) = references::keyword(self.tree, id) {
            return match needs(word) {
                Some(needs) => invalid(whole, format!("The type {word} requires {needs}, in parentheses.")),
                None => invalid(whole, format!("\"{word}\" is not a type. {}", suggest_type(word))),
            };
        }
        let Some(call) = self.call(id) else { return invalid(whole, NO_TYPE.to_owned()) };
        if matches!(call.name, "bool" | "string" | "number" | "any") {
            return invalid(
                self.span(call.args_range),
                format!("The type {} does not take arguments. Remove the parentheses.", call.name),
            );
        }
        let [arg] = *call.args else {
            if let Some(needs) = needs(call.name) {
                let place = match call.args {
                    [_, second, ..] => {
                        let last = call.args.last().copied().unwrap_or(*second);
                        self.range(*second).to(self.range(last))
                    }
                    _ => call.args_range,
                };
                return invalid(self.span(place), format!("The type {} takes one argument: {needs}.", call.name));
            }
            return if call.name == "optional" {
                invalid(self.span(call.name_range), MISPLACED_OPTIONAL.to_owned())
            } else {
                invalid(whole, format!("\"{}\" is not a type constructor. {}", call.name, suggest_type(call.name)))
            };
        };
        match call.name {
            "list" => self.collection(Type::list, arg, out),
            "set" => self.collection(Type::set, arg, out),
            "map" => self.collection(Type::map, arg, out),
            "object" => self.object(arg, whole, out),
            "tuple" => self.tuple(arg, whole, out),
            "optional" => invalid(self.span(call.name_range), MISPLACED_OPTIONAL.to_owned()),
            name => invalid(whole, format!("\"{name}\" is not a type constructor. {}", suggest_type(name))),
        }
    }

    fn collection(&self, of: fn(Type) -> Type, arg: Id<Expr>, out: &mut Diagnostics) -> (Type, Option<Defaults>) {
        let (element, defaults) = self.read(arg, None, out);
        let ty = of(element);
        (ty.clone(), Defaults::collection(ty, defaults))
    }

    fn tuple(&self, arg: Id<Expr>, whole: Span, out: &mut Diagnostics) -> (Type, Option<Defaults>) {
        let ExprKind::Tuple { items, .. } = self.tree.expr(arg).kind else {
            let detail = "tuple requires a list of types in square brackets: tuple([TYPE, TYPE]).";
            out.push(error(&codes::INVALID_TYPE, self.span(self.range(arg)), detail).within(whole));
            return (Type::Dynamic, None);
        };
        let mut elements = Vec::with_capacity(items.len());
        let mut children = BTreeMap::new();
        for (position, item) in self.tree.list(items).iter().enumerate() {
            let (ty, defaults) = self.read(*item, None, out);
            elements.push(ty);
            children.extend(defaults.map(|defaults| (position, defaults)));
        }
        let ty = Type::tuple(elements);
        (ty.clone(), Defaults::tuple(ty, children))
    }

    fn object(&self, arg: Id<Expr>, whole: Span, out: &mut Diagnostics) -> (Type, Option<Defaults>) {
        let ExprKind::Object { items, .. } = self.tree.expr(arg).kind else {
            let detail = "object requires its attributes in braces: object({NAME = TYPE}).";
            out.push(error(&codes::INVALID_TYPE, self.span(self.range(arg)), detail).within(whole));
            return (Type::Dynamic, None);
        };
        let items = self.tree.items(items);
        let mut attributes: Vec<AttributeType> = Vec::with_capacity(items.len());
        let mut names = HashSet::with_capacity(items.len());
        let (mut values, mut children) = (Vec::new(), Vec::new());
        for item in items.charged(8) {
            let key_span = self.span(self.range(item.key));
            let Some(name) = item.literal_name else {
                let detail = "The name of an attribute must be a plain name without quotes.";
                out.push(error(&codes::INVALID_TYPE, key_span, detail).within(whole));
                continue;
            };
            let name = normalized(self.tree.slice(name));
            if names.contains(&name) && self.rules.repeated_attributes {
                account::work(attributes.len() as u64);
                attributes.retain(|attribute| *attribute.name != *name);
                values.retain(|(other, _): &(Arc<str>, _)| **other != *name);
                children.retain(|(other, _): &(Arc<str>, _)| **other != *name);
            } else if names.contains(&name) {
                let detail = format!(
                    "The type declares the attribute \"{name}\" more than once. Remove or rename one of them."
                );
                out.push(error(&codes::INVALID_TYPE, key_span, detail).within(whole));
                continue;
            }
            let Some(attribute) = self.attribute(item.value, out) else { continue };
            let (ty, defaults) = self.read(attribute.ty, None, out);
            let shared: Arc<str> = Arc::from(&*name);
            names.insert(name);
            let name = shared;
            if let Some((default_expr, default)) = attribute.default {
                match convert(&default, &ty) {
                    Ok(default) => values.push((Arc::clone(&name), default)),
                    Err(problem) => {
                        let detail = format!("The default cannot be converted to the attribute's type: {problem}.");
                        let place = self.span(self.range(default_expr));
                        out.push(error(&codes::INVALID_OPTIONAL_DEFAULT, place, detail));
                    }
                }
            }
            children.extend(defaults.map(|defaults| (Arc::clone(&name), defaults)));
            attributes.push(AttributeType { name, ty, optional: attribute.optional });
        }
        let ty = Type::object(attributes);
        (ty.clone(), Defaults::object(ty, values.into_iter().collect(), children.into_iter().collect()))
    }

    /// Reads the type of an attribute, perhaps inside `optional(…)`. Returns `None` if `optional` has no argument.
    fn attribute(&self, id: Id<Expr>, out: &mut Diagnostics) -> Option<Attribute> {
        let Some(call) = self.call(id).filter(|call| call.name == "optional") else {
            return Some(Attribute { ty: id, optional: false, default: None });
        };
        let whole = self.span(self.range(id));
        let args_span = self.span(call.args_range);
        let Some(ty) = call.args.first() else {
            let detail = "optional requires the type of the attribute, optionally followed by its default.";
            out.push(error(&codes::INVALID_TYPE, args_span, detail).within(whole));
            return None;
        };
        let mut attribute = Attribute { ty: *ty, optional: false, default: None };
        match *call.args {
            [_] => attribute.optional = true,
            [_, default] if self.rules.optional_defaults => {
                let (value, verdict) =
                    out.watch(|out| constant(self.forest, ExprAt::Native(self.tree.source, default), out));
                if verdict.is_clean() {
                    attribute.optional = true;
                    attribute.default = Some((default, value));
                }
            }
            _ if self.rules.optional_defaults => {
                let detail = "optional takes at most two arguments: the type of the attribute and its default.";
                out.push(error(&codes::INVALID_TYPE, args_span, detail).within(whole));
            }
            _ => {
                let detail =
                    "In this version optional takes only the type of the attribute; a default is not supported.";
                out.push(error(&codes::INVALID_TYPE, args_span, detail).within(whole));
            }
        }
        Some(attribute)
    }
}

const MISPLACED_OPTIONAL: &str = "optional is allowed only around the type of an object attribute.";

struct Attribute {
    ty: Id<Expr>,
    optional: bool,
    default: Option<(Id<Expr>, overfold_value::Value)>,
}

/// Returns the type that a word alone is.
pub(crate) fn simple(word: &str) -> Option<Type> {
    match word {
        "bool" => Some(Type::Bool),
        "string" => Some(Type::String),
        "number" => Some(Type::Number),
        "any" => Some(Type::Dynamic),
        _ => None,
    }
}

/// Returns what a type constructor needs in its parentheses.
fn needs(constructor: &str) -> Option<&'static str> {
    match constructor {
        "list" | "set" | "map" => Some("the type of its elements"),
        "object" => Some("its attributes with their types, in braces"),
        "tuple" => Some("the types of its elements, in square brackets"),
        _ => None,
    }
}
