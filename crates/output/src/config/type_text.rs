//! Writes the type constraint of an overridden variable as text. An override replaces the type, but the `optional()`
//! defaults of the base's type stay in force and those of the override's type are lost (terraform.md, section 7.6): the
//! equivalent single type is the override's type with the base's defaults.

use foldhash::HashMap;

use overfold_base::account::ChargedIterator;
use overfold_base::diag::Diagnostics;
use overfold_dialect::AttrMerge;
use overfold_model::config::{Argument, Block};
use overfold_syntax::json::JsonKind;
use overfold_syntax::tree::{Expr, ExprKind, Id, ObjectItem, Tree};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::with_stack;

/// A type expression and its tree.
#[derive(Clone, Copy)]
struct Node<'a> {
    tree: &'a Tree,
    id: Id<Expr>,
}

/// Returns the type constraint of a variable after its overrides as text. `None` if it is the argument's own text.
pub(super) fn merged(forest: &Forest, block: &Block<'_>, argument: &Argument<'_>) -> Option<String> {
    let from_override = argument.range.source != block.header.source;
    let base = match argument.previous.first() {
        Some(base) => Some(native(forest, base.expr)?),
        None if from_override => None,
        None => return None,
    };
    let winner = native(forest, argument.expr)?;
    let mentions = |node: Node<'_>| node.source().contains("optional");
    if !mentions(winner) && !base.is_some_and(mentions) {
        return None;
    }
    let mut text = String::new();
    push(&mut text, winner, base);
    Some(text)
}

/// Returns the declared type of a variable or output: the text as written or, if an override merges with the type that
/// it replaces, one equivalent text. With `hide_defaults` the defaults in it are left out; `None` if that is not
/// possible.
pub(crate) fn declared(
    forest: &Forest,
    block: &Block<'_>,
    argument: &Argument<'_>,
    hide_defaults: bool,
) -> Option<String> {
    if hide_defaults {
        return without_defaults(forest, argument);
    }
    let keeps_defaults = argument.spec.is_some_and(|row| row.merge == AttrMerge::VariableType);
    if let Some(text) = keeps_defaults.then(|| merged(forest, block, argument)).flatten() {
        return Some(text);
    }
    match argument.expr {
        ExprAt::Native(source, id) => {
            let node = Node { tree: forest.native(source)?, id };
            Some(node.quoted().unwrap_or_else(|| node.source()).to_owned())
        }
        ExprAt::Json(source, id) => {
            let tree = forest.json(source)?;
            match tree.node(id).kind {
                JsonKind::Text(text) => Some(tree.str(text).to_owned()),
                _ => None,
            }
        }
    }
}

/// Returns the type of a variable without the defaults in it. `None` if it contains anything that is not a type.
pub(super) fn without_defaults(forest: &Forest, argument: &Argument<'_>) -> Option<String> {
    bare(forest, argument.expr)
}

/// Like [`without_defaults`], but for an expression.
pub(crate) fn bare(forest: &Forest, at: ExprAt) -> Option<String> {
    let mut text = String::new();
    push_bare(&mut text, native(forest, at)?).then_some(text)
}

/// Writes a type that consists only of types, and returns whether it does.
fn push_bare(out: &mut String, node: Node<'_>) -> bool {
    let is_word = |text: &str| {
        let begins = text.starts_with(|first: char| first.is_alphabetic() || first == '_');
        begins && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
    };
    if let (Some(element), Some((name, _))) = (node.inside(COLLECTIONS), node.call()) {
        out.push_str(name);
        out.push('(');
        let bare = with_stack(|| push_bare(out, element));
        out.push(')');
        bare
    } else if !node.items().is_empty() {
        out.push_str("object({");
        let bare = node.items().iter().enumerate().all(|(at, item)| {
            let (key, (kind, _, optional)) = (node.key(item), node.at(item.value).attribute());
            out.push_str(if at == 0 { "" } else { ", " });
            out.push_str(key);
            out.push_str(if optional { " = optional(" } else { " = " });
            let bare = with_stack(|| push_bare(out, kind));
            out.push_str(if optional { ")" } else { "" });
            bare && is_word(key)
        });
        out.push_str("})");
        bare
    } else if !node.elements().is_empty() {
        out.push_str("tuple([");
        let bare = node.elements().iter().enumerate().all(|(at, &element)| {
            out.push_str(if at == 0 { "" } else { ", " });
            with_stack(|| push_bare(out, node.at(element)))
        });
        out.push_str("])");
        bare
    } else {
        let source = node.source();
        out.push_str(source);
        is_word(source) || matches!(source, "object({})" | "tuple([])")
    }
}

/// Returns the expression of a type; in JSON, the one in its string.
fn native(forest: &Forest, at: ExprAt) -> Option<Node<'_>> {
    let at = match at {
        ExprAt::Native(..) => at,
        ExprAt::Json(source, node) => forest.parse_json_expression(source, node, &mut Diagnostics::new())?,
    };
    match at {
        ExprAt::Native(source, id) => Some(Node { tree: forest.native(source)?, id }),
        ExprAt::Json(..) => None,
    }
}

impl<'a> Node<'a> {
    fn at(self, id: Id<Expr>) -> Self {
        Self { id, ..self }
    }

    fn source(self) -> &'a str {
        self.tree.slice(self.tree.expr(self.id).range)
    }

    /// Returns the text inside the quotes if the type is a quoted keyword, as in old modules.
    fn quoted(self) -> Option<&'a str> {
        let ExprKind::Template { parts, .. } = self.tree.expr(self.id).kind else { return None };
        let &[only] = self.tree.list(parts) else { return None };
        match self.tree.expr(only).kind {
            ExprKind::Text(text) => Some(self.tree.str(text)),
            _ => None,
        }
    }

    /// Returns the name and the arguments of a call.
    fn call(self) -> Option<(&'a str, &'a [Id<Expr>])> {
        match self.tree.expr(self.id).kind {
            ExprKind::Call(id) => {
                let call = self.tree.call(id);
                Some((self.tree.str(call.name), self.tree.list(call.args)))
            }
            _ => None,
        }
    }

    /// Returns the only argument of a call to one of `names`.
    fn inside(self, names: &[&str]) -> Option<Self> {
        match self.call()? {
            (name, &[only]) if names.contains(&name) => Some(self.at(only)),
            _ => None,
        }
    }

    fn items(self) -> &'a [ObjectItem] {
        match self.inside(&["object"]).map(|inner| self.tree.expr(inner.id).kind) {
            Some(ExprKind::Object { items, .. }) => self.tree.items(items),
            _ => &[],
        }
    }

    fn elements(self) -> &'a [Id<Expr>] {
        match self.inside(&["tuple"]).map(|inner| self.tree.expr(inner.id).kind) {
            Some(ExprKind::Tuple { items, .. }) => self.tree.list(items),
            _ => &[],
        }
    }

    /// Splits the type of an object's attribute into the type itself, the default of `optional(type, default)`, and
    /// whether it is optional.
    fn attribute(self) -> (Self, Option<Self>, bool) {
        match self.call() {
            Some(("optional", &[kind])) => (self.at(kind), None, true),
            Some(("optional", &[kind, default])) => (self.at(kind), Some(self.at(default)), true),
            _ => (self, None, false),
        }
    }

    fn key(self, item: &ObjectItem) -> &'a str {
        self.tree.slice(item.key_range)
    }
}

const COLLECTIONS: &[&str] = &["list", "set", "map"];

fn push(out: &mut String, winner: Node<'_>, base: Option<Node<'_>>) {
    if let (Some(element), Some((name, _))) = (winner.inside(COLLECTIONS), winner.call()) {
        out.push_str(name);
        out.push('(');
        push(out, element, base.and_then(|base| base.inside(COLLECTIONS)));
        out.push(')');
    } else if !winner.items().is_empty() {
        out.push_str("object({");
        let declared = base.map_or(&[][..], |base| base.items());
        // Of several attributes of one name, the first counts.
        let mut by_name: HashMap<&str, &ObjectItem> = HashMap::default();
        for item in declared.iter().charged_at_once(2).rev() {
            by_name.extend(base.map(|base| (base.key(item), item)));
        }
        for (at, item) in winner.items().iter().charged_at_once(2).enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            let key = winner.key(item);
            let (kind, _, optional) = winner.at(item.value).attribute();
            let partner = base.and_then(|base| Some(base.at(by_name.get(key)?.value).attribute()));
            let default = partner.and_then(|(_, default, _)| default);
            out.push_str(key);
            out.push_str(" = ");
            out.push_str(if optional || default.is_some() { "optional(" } else { "" });
            push(out, kind, partner.map(|(kind, _, _)| kind));
            if let Some(default) = default {
                out.push_str(", ");
                out.push_str(default.source());
            }
            out.push_str(if optional || default.is_some() { ")" } else { "" });
        }
        out.push_str("})");
    } else if !winner.elements().is_empty() {
        out.push_str("tuple([");
        for (at, &element) in winner.elements().iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            let partner = base.and_then(|base| base.elements().get(at).map(|&id| base.at(id)));
            push(out, winner.at(element), partner);
        }
        out.push_str("])");
    } else {
        out.push_str(winner.source());
    }
}
