//! Expressions in native syntax, and those within the strings of JSON files.

use super::{ArgumentSite, Collector, References, is_shown};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::Span;
use overfold_load::replacement::{ReplacedPart, TemplateText};
use overfold_syntax::tree::{Expr, ExprKind, Id, TemplateForm, Tree};
use overfold_value::{Kind, Value, with_stack};

/// Looks at an expression of the native syntax.
pub(super) struct Native<'n, 'c, 'w, 'e, 'a, 'p> {
    pub(super) collector: &'n mut Collector<'c, 'w, 'e, 'a>,
    pub(super) tree: &'a Tree,
    pub(super) references: &'n References<'a>,
    pub(super) place: &'n ArgumentSite<'p>,
    /// The string of a JSON file that contains the expression.
    pub(super) string: Option<Span>,
}

impl Native<'_, '_, '_, '_, '_, '_> {
    /// Looks at an expression that is an argument's, or an item of one. `value` is its value if that is known apart.
    pub(super) fn item(&mut self, id: Id<Expr>, value: Option<&Value>) {
        let range = self.tree.expr(id).range;
        let positions = self.references.within(range);
        if positions.is_empty() {
            return;
        }
        if let Some(value) = value.filter(|value| is_shown(value))
            && !self.references.has_left_alone(&positions)
        {
            let at = self.tree.span(range);
            self.collector.push(self.place, at, ReplacedPart::Expression, self.string, value.clone());
            return;
        }
        with_stack(|| self.parts(id, value));
    }

    /// Looks at the parts of an expression that is not replaced as a whole.
    pub(super) fn parts(&mut self, id: Id<Expr>, value: Option<&Value>) {
        let tree = self.tree;
        // The parts of what is secret are, too.
        let value = value.filter(|value| value.marks().is_empty());
        match tree.expr(id).kind {
            ExprKind::Parens(inner) | ExprKind::TemplateWrap(inner) => self.item(inner, value),
            ExprKind::Tuple { items, .. } => {
                let items = tree.list(items);
                let values = value.and_then(Value::as_items).filter(|values| values.len() == items.len());
                for (at, &item) in items.iter().enumerate() {
                    self.item(item, values.and_then(|values| values.get(at)));
                }
            }
            ExprKind::Object { items, .. } => {
                let items = tree.items(items);
                // If a key occurs twice, the value of the object is that of one of them.
                let value = value.filter(|value| value.as_entries().is_some_and(|all| all.len() == items.len()));
                for item in items.charged(2) {
                    let name = match (item.literal_name, tree.expr(item.key).kind) {
                        (Some(name), _) => Some(tree.slice(name)),
                        (None, ExprKind::Text(text)) => Some(tree.str(text)),
                        (None, ExprKind::Template { parts, .. }) => match tree.list(parts) {
                            &[only] => match tree.expr(only).kind {
                                ExprKind::Text(text) => Some(tree.str(text)),
                                _ => None,
                            },
                            _ => None,
                        },
                        (None, _) => None,
                    };
                    if item.literal_name.is_none() {
                        self.parts_of_key(item.key);
                    }
                    self.item(item.value, name.and_then(|name| value?.get(name)));
                }
            }
            ExprKind::Template { form, parts } => self.template(form, tree.list(parts)),
            _ => self.each_reference(id),
        }
    }

    fn parts_of_key(&mut self, key: Id<Expr>) {
        match self.tree.expr(key).kind {
            ExprKind::Template { form, parts } => self.template(form, self.tree.list(parts)),
            _ => self.each_reference(key),
        }
    }

    fn template(&mut self, form: TemplateForm, parts: &[Id<Expr>]) {
        for &part in parts {
            match self.tree.expr(part).kind {
                ExprKind::Traversal(_) => self.references_in(part, ReplacedPart::Interpolation(text_of(form))),
                _ => self.each_reference(part),
            }
        }
    }

    fn each_reference(&mut self, id: Id<Expr>) {
        self.references_in(id, ReplacedPart::Reference);
    }

    fn references_in(&mut self, id: Id<Expr>, part: ReplacedPart) {
        let references = self.references;
        for found in references.list.get(references.within(self.tree.expr(id).range)).unwrap_or_default() {
            if found.is_named || self.collector.stays(found, self.place) {
                continue;
            }
            if let Some(value) = self.collector.evaluate(found.expr, self.place).filter(is_shown) {
                // Only text without a type of its own becomes a part of the text around it.
                let is_plain = matches!(value.kind(), Kind::Text(_) | Kind::Number(_) | Kind::Bool(_));
                let part = match (part, found.template) {
                    _ if !is_plain => ReplacedPart::Reference,
                    (ReplacedPart::Reference, Some(form)) => ReplacedPart::Interpolation(text_of(form)),
                    (part, _) => part,
                };
                let at = self.collector.forest.expr_span(found.expr);
                self.collector.push(self.place, at, part, self.string, value);
            }
        }
    }
}

/// Returns how the literal text of a template is written; a template without a form of its own is a string of a JSON file.
const fn text_of(form: TemplateForm) -> TemplateText {
    match form {
        TemplateForm::Quoted => TemplateText::Quoted,
        TemplateForm::Heredoc | TemplateForm::FlushHeredoc => TemplateText::Heredoc,
        TemplateForm::Inner => TemplateText::Plain,
    }
}
