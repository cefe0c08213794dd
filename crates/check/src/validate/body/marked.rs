//! Marked parts of bodies, where the tool follows the path to each of them through blocks and arguments (validate.md, section 7).

use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;

use super::codes as body_codes;
use super::read::{BodyLevel, Reader};
use crate::validate::deprecated::deprecated_value;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_eval as eval;
use overfold_model::body::content::ContentAttribute;
use overfold_model::schema::{AttributeSchema, Shape};
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::{Kind, Marks, Value, with_stack};

/// Which marks are followed to where they come from.
#[derive(Clone, Copy, Default, Debug)]
pub struct FollowedMarks {
    /// Ephemeral values in bodies that are stored.
    pub ephemeral: bool,
    /// Values that come from something deprecated. They keep their marks up to here, and lose them then.
    pub deprecated: bool,
}

impl FollowedMarks {
    /// Whether there is anything to follow.
    pub(super) const fn is_any(self) -> bool {
        self.ephemeral || self.deprecated
    }

    /// Whether there is nothing to follow in a value with these marks.
    const fn ignores(self, marks: Marks) -> bool {
        !(self.ephemeral && marks.is_ephemeral() || self.deprecated && marks.is_deprecated())
    }
}

/// What has been found in a body.
pub(super) struct Marked<'b, 'r, 'f> {
    reader: &'r Reader<'b, 'f>,
    followed: FollowedMarks,
    /// Whether the path leads on to the body that is read: those inside of sets have none.
    is_reached: bool,
    found: Vec<Diagnostic>,
    /// The parts of the expression that was taken apart last: a value can have as many marked parts as the expression has.
    parts: Option<(ExprAt, Rc<WrittenParts>)>,
}

/// The parts of an expression that are written out.
#[derive(Default)]
struct WrittenParts {
    items: Vec<ExprAt>,
    /// The values of a map by their constant keys; the first of several with one key counts.
    values: HashMap<Arc<str>, ExprAt>,
}

impl WrittenParts {
    /// Takes an expression apart.
    fn from_expr(forest: &Forest, expr: ExprAt) -> Self {
        let items = statics::written_list(forest, expr).unwrap_or_default();
        let pairs = statics::written_map(forest, expr).unwrap_or_default();
        account::build(
            (items.len() + 4 * pairs.len()) as u64,
            (size_of_val(items.as_slice()) + 2 * size_of_val(pairs.as_slice())) as u64,
        );
        let mut values = HashMap::default();
        for (key, value) in pairs {
            if let Some(key) = eval::constant(forest, key, &mut Diagnostics::new()).as_text() {
                account::copy(key.len());
                values.entry(Arc::from(key)).or_insert(value);
            }
        }
        Self { items, values }
    }
}

/// The arguments of a body by name, and where it begins.
pub(super) struct Arguments<'c, 'f> {
    pub(super) written: &'c HashMap<&'c str, &'c ContentAttribute<'f>>,
    pub(super) missing_item: Span,
}

impl Arguments<'_, '_> {
    /// Returns the value of an argument.
    fn expr(&self, name: &str) -> Option<ExprAt> {
        account::work(1);
        self.written.get(name).map(|found| found.expr)
    }
}

#[derive(Clone)]
enum ValueStep<'v> {
    Attribute(&'v str),
    Item(usize),
    Key(&'v str),
}

impl<'b, 'r, 'f> Marked<'b, 'r, 'f> {
    pub(super) const fn new(reader: &'r Reader<'b, 'f>, followed: FollowedMarks) -> Self {
        Self { reader, followed, is_reached: true, found: Vec::new(), parts: None }
    }

    /// Sets whether the path leads to the bodies that follow, and returns whether it led to those before.
    pub(super) const fn lead(&mut self, reached: bool) -> bool {
        let before = self.is_reached;
        self.is_reached = before && reached;
        before
    }

    /// Ends what [`Self::lead`] began.
    pub(super) const fn lead_back(&mut self, before: bool) {
        self.is_reached = before;
    }

    /// Reports everything.
    pub(super) fn finish(self, out: &mut Diagnostics) {
        out.extend(self.found);
    }

    /// Follows the marks of an attribute.
    pub(super) fn attribute(
        &mut self,
        (name, schema): (&str, &AttributeSchema),
        value: &Value,
        arguments: &Arguments<'_, '_>,
    ) {
        account::work(1);
        if !self.is_reached || self.followed.ignores(value.deep_marks()) {
            return;
        }
        if self.followed.ephemeral {
            self.ephemeral((name, schema), (value, true), arguments);
        }
        if self.followed.deprecated {
            self.deprecated(name, value, &mut Vec::new(), arguments);
        }
    }

    /// Follows the marks of a set of blocks as a whole: they are found at the only block, or at the body.
    pub(super) fn set(&mut self, keyword: &str, value: &Value, (place, missing_item): (BodyLevel, Span)) {
        account::work(1);
        let marks = value.deep_marks();
        if !self.is_reached || self.followed.ignores(marks) {
            return;
        }
        // In JSON syntax a block is a property as well, and so it is found as an argument.
        let content = self.reader.read(place, None, false, &mut Diagnostics::new());
        let property = content.attributes.iter().charged_at_once(1).find(|attribute| attribute.name == keyword);
        let at = property.map_or(missing_item, |found| self.reader.forest.expr_span(found.expr));
        if self.followed.ephemeral && marks.is_ephemeral() {
            self.refuse(at, &format!("a {keyword:?} block"));
        }
        if self.followed.deprecated && marks.is_deprecated() {
            account::push(&mut self.found, deprecated_value(at));
        }
    }

    fn refuse(&mut self, at: Span, what: &str) {
        let detail = format!(
            "The value of {what} is ephemeral, but it would be stored. Only write-only arguments accept ephemeral values."
        );
        account::push(&mut self.found, Diagnostic::tool(&body_codes::EPHEMERAL_VALUE, at, detail));
    }

    /// Reports each ephemeral part of an attribute at the argument that has its name, if there is one.
    fn ephemeral(
        &mut self,
        (name, schema): (&str, &AttributeSchema),
        (value, is_direct): (&Value, bool),
        arguments: &Arguments<'_, '_>,
    ) {
        account::work(1);
        if schema.write_only || !value.deep_marks().is_ephemeral() {
            return;
        }
        let expr = arguments.expr(name);
        let at = expr.map_or(arguments.missing_item, |expr| self.reader.forest.expr_span(expr));
        let what = if is_direct { "the argument" } else { "the attribute" };
        let count = match &schema.shape {
            Shape::Type(_) => marked(value),
            Shape::Nested(_) => usize::from(value.marks().is_ephemeral()),
        };
        for _ in 0..count {
            self.refuse(at, &format!("{what} {name:?}"));
        }
        let Shape::Nested(object) = &schema.shape else { return };
        let is_collection = !matches!(value.kind(), Kind::Object(_));
        let parts: Vec<&Value> = if is_collection { parts(value).collect() } else { vec![value] };
        for part in parts {
            if is_collection && part.marks().is_ephemeral() {
                self.refuse(at, &format!("{what} {name:?}"));
            }
            for (name, inner) in part.entries() {
                if let Some(schema) = object.attributes.get(name) {
                    with_stack(|| self.ephemeral((name, schema), (inner, false), arguments));
                }
            }
        }
    }

    /// Reports each part of an attribute that comes from something deprecated.
    fn deprecated<'v>(
        &mut self,
        name: &str,
        value: &'v Value,
        path: &mut Vec<ValueStep<'v>>,
        arguments: &Arguments<'_, '_>,
    ) {
        account::work(2);
        if !value.deep_marks().is_deprecated() {
            return;
        }
        if value.marks().is_deprecated() {
            let at = self.place(name, path, arguments).unwrap_or(arguments.missing_item);
            account::push(&mut self.found, deprecated_value(at));
        }
        let mut inside = |this: &mut Self, step: ValueStep<'v>, part: &'v Value| {
            path.push(step);
            with_stack(|| this.deprecated(name, part, path, arguments));
            path.pop();
        };
        if !matches!(value.kind(), Kind::Set(_)) {
            for (at, part) in value.items().iter().enumerate() {
                inside(self, ValueStep::Item(at), part);
            }
        }
        let is_map = matches!(value.kind(), Kind::Map(_));
        for (key, part) in value.entries() {
            inside(self, if is_map { ValueStep::Key(key) } else { ValueStep::Attribute(key) }, part);
        }
    }

    /// Returns the parts of an expression that are written out.
    fn parts_of(&mut self, expr: ExprAt) -> Rc<WrittenParts> {
        account::work(1);
        match &self.parts {
            Some((own, parts)) if *own == expr => Rc::clone(parts),
            _ => {
                let parts = Rc::new(WrittenParts::from_expr(self.reader.forest, expr));
                self.parts = Some((expr, Rc::clone(&parts)));
                parts
            }
        }
    }

    /// Returns where a path into an attribute leads: its last attribute is looked for in the body, whatever it is an attribute
    /// of, and a key behind that in the value.
    fn place(&mut self, name: &str, path: &[ValueStep<'_>], arguments: &Arguments<'_, '_>) -> Option<Span> {
        let forest = self.reader.forest;
        let named = |path: &[ValueStep<'_>]| match path.last() {
            None => arguments.expr(name),
            Some(ValueStep::Attribute(name)) => arguments.expr(name),
            Some(_) => None,
        };
        let Some((step @ (ValueStep::Item(_) | ValueStep::Key(_)), before)) = path.split_last() else {
            return named(path).map(|expr| forest.expr_span(expr));
        };
        let expr = named(before)?;
        let parts = self.parts_of(expr);
        let part = match step {
            ValueStep::Item(at) => parts.items.get(*at).map(|&item| forest.expr_span(item)),
            ValueStep::Key(key) => parts.values.get(*key).map(|&value| forest.start_span(value)),
            ValueStep::Attribute(_) => None,
        };
        Some(part.unwrap_or_else(|| forest.expr_span(expr)))
    }
}

/// Returns the number of parts of a value that are ephemeral themselves.
pub(super) fn marked(value: &Value) -> usize {
    account::work(1);
    if !value.deep_marks().is_ephemeral() {
        return 0;
    }
    let own = usize::from(value.marks().is_ephemeral());
    own + with_stack(|| parts(value).map(marked).sum::<usize>())
}

/// Returns the parts of a structure.
pub(super) fn parts(value: &Value) -> impl Iterator<Item = &Value> {
    let entries = match value.kind() {
        Kind::Map(_) | Kind::Object(_) => value.entries(),
        _ => &[],
    };
    value.items().iter().chain(entries.iter().map(|(_, part)| part))
}
