//! Recognises, from their trees alone, types and defaults that are certainly valid. Most variables are declared with
//! such types and defaults, and most of their values are never requested, so decoding them is deferred until they are.

use smallvec::SmallVec;

use super::TypeRules;
use super::references::keyword;
use overfold_base::account::{self, ChargedIterator};
use overfold_syntax::tree::{Expr, ExprKind, Id, ObjectItem, Tree, UnaryOp};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::with_stack;

/// The number of members of an object above which evaluation has to decide: members are searched linearly here.
const MAX_MEMBERS: usize = 256;

/// Returns whether decoding a type constraint and a constant that must match it would certainly report nothing. If this
/// returns `false`, it might report something.
///
/// `constraint` and `default` come from a declaration, if it has them; a null default matches if `nullable`.
pub fn certainly_fits(
    forest: &Forest,
    constraint: Option<(ExprAt, TypeRules)>,
    default: Option<ExprAt>,
    nullable: bool,
) -> bool {
    let of = |at: ExprAt| match at {
        ExprAt::Native(source, id) => forest.native(source).filter(|tree| !tree.hcl1).map(|tree| (tree, id)),
        ExprAt::Json(..) => None,
    };
    let default = match default.map(of) {
        Some(None) => return false,
        Some(found) => found,
        None => None,
    };
    if let Some((tree, id)) = default
        && matches!(tree.expr(id).kind, ExprKind::Null)
        && !nullable
    {
        return false;
    }
    match constraint.map(|(at, rules)| (of(at), rules)) {
        None => default.is_none_or(|(tree, id)| Literals { tree }.is_literal(id)),
        Some((None, _)) => false,
        Some((Some((types, ty)), rules)) => {
            let mut reader = Types { tree: types, rules, settled: false };
            reader.settled = reader.is_settled(ty);
            let no_default = || reader.is_type(ty);
            default.map_or_else(no_default, |(tree, id)| reader.is_type(ty) && reader.fits(ty, Literals { tree }, id))
        }
    }
}

/// Literal constants.
#[derive(Clone, Copy)]
struct Literals<'t> {
    tree: &'t Tree,
}

impl<'t> Literals<'t> {
    /// Returns whether the expression is a constant that needs no computation.
    fn is_literal(self, id: Id<Expr>) -> bool {
        account::work(1);
        match self.tree.expr(id).kind {
            ExprKind::Number | ExprKind::Bool(_) | ExprKind::Null | ExprKind::Text(_) => true,
            ExprKind::Template { .. } => self.is_string(id),
            ExprKind::Unary { op: UnaryOp::Negate, operand, .. } => self.is_number(operand),
            ExprKind::Tuple { items, .. } => {
                with_stack(|| self.tree.list(items).iter().all(|&item| self.is_literal(item)))
            }
            ExprKind::Object { items, .. } => {
                let items = self.tree.items(items);
                self.keys_differ(items) && with_stack(|| items.iter().all(|item| self.is_literal(item.value)))
            }
            _ => false,
        }
    }

    fn is_number(self, id: Id<Expr>) -> bool {
        match self.tree.expr(id).kind {
            ExprKind::Number => true,
            ExprKind::Unary { op: UnaryOp::Negate, operand, .. } => {
                matches!(self.tree.expr(operand).kind, ExprKind::Number)
            }
            _ => false,
        }
    }

    fn is_string(self, id: Id<Expr>) -> bool {
        match self.tree.expr(id).kind {
            ExprKind::Text(_) => true,
            ExprKind::Template { parts, .. } => {
                let parts = self.tree.list(parts);
                // A lone interpolation would keep its type.
                let joined = parts.len() > 1;
                parts.iter().charged_at_once(1).all(|&part| match self.tree.expr(part).kind {
                    ExprKind::Text(_) => true,
                    ExprKind::Number | ExprKind::Bool(_) => joined,
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// Returns the key as a name; `None` if it may be anything else.
    fn key(self, item: &ObjectItem) -> Option<&'t str> {
        let text = match (item.literal_name, self.tree.expr(item.key).kind) {
            (Some(name), _) => self.tree.slice(name),
            (None, ExprKind::Text(text)) => self.tree.str(text),
            (None, ExprKind::Template { parts, .. }) => match *self.tree.list(parts) {
                [only] => match self.tree.expr(only).kind {
                    ExprKind::Text(text) => self.tree.str(text),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        // Other keys may become equal when they are normalised.
        text.is_ascii().then_some(text)
    }

    fn keys_differ(self, items: &[ObjectItem]) -> bool {
        if items.len() > MAX_MEMBERS {
            return false;
        }
        let Some(mut keys) =
            items.iter().charged_at_once(1).map(|item| self.key(item)).collect::<Option<SmallVec<[&str; 16]>>>()
        else {
            return false;
        };
        keys.sort_unstable();
        keys.windows(2).all(|pair| matches!(pair, [one, next] if one != next))
    }
}

/// Literal type constraints.
#[derive(Clone, Copy)]
struct Types<'t> {
    tree: &'t Tree,
    rules: TypeRules,
    /// Whether the whole type contains no `any`, so that its parts need no repeated checks.
    settled: bool,
}

impl<'t> Types<'t> {
    /// Returns the name of a type constructor and its only argument.
    fn constructor(self, id: Id<Expr>) -> Option<(&'t str, Id<Expr>)> {
        match self.tree.expr(id).kind {
            ExprKind::Call(id) => {
                let call = self.tree.call(id);
                match *self.tree.list(call.args) {
                    [only] if !call.expand_final => Some((self.tree.str(call.name), only)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns whether decoding a type would report nothing.
    fn is_type(self, id: Id<Expr>) -> bool {
        account::work(2);
        if let Some(word) = keyword(self.tree, id) {
            return matches!(word, "string" | "number" | "bool" | "any");
        }
        match self.constructor(id) {
            Some(("list" | "set" | "map", element)) => with_stack(|| self.is_type(element)),
            Some(("object", arg)) => self.attributes(arg).is_some_and(|items| {
                Literals { tree: self.tree }.keys_differ(items)
                    && with_stack(|| {
                        items.iter().all(|item| item.literal_name.is_some() && self.is_attribute(item.value))
                    })
            }),
            _ => false,
        }
    }

    fn attributes(self, arg: Id<Expr>) -> Option<&'t [ObjectItem]> {
        match self.tree.expr(arg).kind {
            ExprKind::Object { items, .. } => Some(self.tree.items(items)),
            _ => None,
        }
    }

    /// Returns the type inside `optional(…)`, and the default.
    fn optional(self, id: Id<Expr>) -> Option<(Id<Expr>, Option<Id<Expr>>)> {
        let ExprKind::Call(id) = self.tree.expr(id).kind else { return None };
        let call = self.tree.call(id);
        if call.expand_final || self.tree.str(call.name) != "optional" {
            return None;
        }
        match *self.tree.list(call.args) {
            [ty] => Some((ty, None)),
            [ty, default] => Some((ty, Some(default))),
            _ => None,
        }
    }

    fn is_attribute(self, id: Id<Expr>) -> bool {
        match self.optional(id) {
            Some((ty, None)) => self.is_type(ty),
            Some((ty, Some(default))) => {
                self.rules.optional_defaults
                    && self.is_type(ty)
                    && self.fits(ty, Literals { tree: self.tree }, default)
            }
            None => self.is_type(id),
        }
    }

    /// Returns whether a constant can be converted to the type, which must be valid, without a diagnostic and without
    /// losing anything.
    fn fits(self, ty: Id<Expr>, literals: Literals<'_>, id: Id<Expr>) -> bool {
        account::work(2);
        let kind = literals.tree.expr(id).kind;
        if let Some(word) = keyword(self.tree, ty) {
            return match word {
                "any" => literals.is_literal(id),
                "string" => {
                    literals.is_string(id)
                        || literals.is_number(id)
                        || matches!(kind, ExprKind::Bool(_) | ExprKind::Null)
                }
                "number" => literals.is_number(id) || matches!(kind, ExprKind::Null),
                "bool" => matches!(kind, ExprKind::Bool(_) | ExprKind::Null),
                _ => false,
            };
        }
        if matches!(kind, ExprKind::Null) {
            return true;
        }
        match (self.constructor(ty), kind) {
            (Some(("list" | "set", element)), ExprKind::Tuple { items, .. }) => {
                let items = literals.tree.list(items);
                items.is_empty()
                    || (self.settled || self.is_settled(element))
                        && with_stack(|| items.iter().all(|&item| self.fits(element, literals, item)))
            }
            (Some(("map", element)), ExprKind::Object { items, .. }) => {
                let items = literals.tree.items(items);
                items.is_empty()
                    || (self.settled || self.is_settled(element))
                        && literals.keys_differ(items)
                        && with_stack(|| items.iter().all(|item| self.fits(element, literals, item.value)))
            }
            (Some(("object", arg)), ExprKind::Object { items, .. }) => {
                let (Some(wanted), given) = (self.attributes(arg), literals.tree.items(items)) else { return false };
                literals.keys_differ(given) && with_stack(|| self.object_fits(wanted, literals, given))
            }
            _ => false,
        }
    }

    /// Returns whether every given attribute is declared and fits, and every missing one is optional.
    fn object_fits(self, wanted: &[ObjectItem], literals: Literals<'_>, given: &[ObjectItem]) -> bool {
        let mut found = 0;
        account::work((wanted.len() * given.len()) as u64 / 8 + 1);
        let all = wanted.iter().all(|attribute| {
            let name = attribute.literal_name.map(|name| self.tree.slice(name));
            let item = given.iter().find(|item| literals.key(item) == name);
            match (item, self.optional(attribute.value)) {
                (Some(item), optional) => {
                    found += 1;
                    self.fits(optional.map_or(attribute.value, |(ty, _)| ty), literals, item.value)
                }
                (None, optional) => optional.is_some(),
            }
        });
        all && found == given.len()
    }

    /// Returns whether the type contains no `any`, so that elements of this type need not be unified.
    fn is_settled(self, id: Id<Expr>) -> bool {
        account::work(1);
        if let Some(word) = keyword(self.tree, id) {
            return word != "any";
        }
        match self.constructor(id) {
            Some(("object", arg)) => self.attributes(arg).is_some_and(|items| {
                with_stack(|| {
                    items
                        .iter()
                        .all(|item| self.is_settled(self.optional(item.value).map_or(item.value, |(ty, _)| ty)))
                })
            }),
            Some((_, element)) => with_stack(|| self.is_settled(element)),
            None => false,
        }
    }
}
