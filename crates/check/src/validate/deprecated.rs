//! Values that come from something deprecated: an output of a called module, or an attribute or block that the schema of a
//! resource marks. The mark goes where the value goes, and is a warning where something uses it (validate.md, section 7).

use foldhash::HashMap;

use super::codes;
use super::walker::ModuleNodes;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::{Behaviour, DialectSpec};
use overfold_eval as eval;
use overfold_model::schema::BodySchema;
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::{Marks, Value};

/// What is used of a value where its expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ValueUse {
    /// Everything in it.
    #[default]
    Parts,
    /// The value as a whole. Whatever names a part of it later uses that part: a local value holds a whole resource, for
    /// example.
    Whole,
}

impl ModuleNodes<'_> {
    /// Returns what an output uses of its value.
    pub fn used_of_output(&self) -> ValueUse {
        let is_passed = !self.is_root && self.module.report.dialect.has(Behaviour::DeprecatedPartsWarnWhenUsed);
        if is_passed { ValueUse::Whole } else { ValueUse::Parts }
    }
}

/// Warns about a value of an expression that comes from something deprecated, and returns it without the marks that have
/// been reported, so that what uses it is not reported again.
pub fn without_deprecated(
    dialect: &DialectSpec,
    (forest, expr): (&Forest, ExprAt),
    used: ValueUse,
    value: Value,
    out: &mut Diagnostics,
) -> Value {
    if !value.deep_marks().is_deprecated() {
        return value;
    }
    if !dialect.has(Behaviour::DeprecatedOutputsMarkValues) {
        let mut is_first = true;
        let each = dialect.has(Behaviour::DeprecatedPartsOfArguments);
        each_part(&value, &mut |_| {
            if each || std::mem::take(&mut is_first) {
                out.push(deprecated_value(forest.expr_span(expr)));
            }
        });
        return plain(&value);
    }
    match used {
        ValueUse::Parts => {
            deprecated_parts(forest, expr, &value, out);
            plain(&value)
        }
        ValueUse::Whole if value.marks().is_deprecated() => {
            out.push(deprecated_value(forest.expr_span(expr)));
            let own = value.marks().without(Marks::DEPRECATED);
            account::work(1);
            value.map_parts(&Value::clone).with_marks(own)
        }
        ValueUse::Whole => value,
    }
}

/// Reports a value that comes from something deprecated.
pub(crate) fn deprecated_value(at: Span) -> Diagnostic {
    let detail = "This value comes from something that is declared as deprecated. Its declaration or the documentation of the provider says what to use instead.";
    Diagnostic::tool(&codes::DEPRECATED_VALUE, at, detail)
}

/// Like [`without_deprecated`], for the result or the message of a condition: one tool waits until these are known.
pub fn without_deprecated_in_condition(
    dialect: &DialectSpec,
    of: (&Forest, ExprAt),
    value: Value,
    out: &mut Diagnostics,
) -> Value {
    if !value.is_known() && dialect.has(Behaviour::DeprecatedOutputsMarkValues) {
        return plain(&value);
    }
    without_deprecated(dialect, of, ValueUse::Parts, value, out)
}

/// Calls `found` for each part of a value that has the mark, and for the value itself.
fn each_part(value: &Value, found: &mut dyn FnMut(&Value)) {
    account::work(1);
    if value.marks().is_deprecated() {
        found(value);
    }
    let entries = value.entries().iter().map(|(_, part)| part);
    for part in value.items().iter().chain(entries).charged(1) {
        if part.deep_marks().is_deprecated() {
            overfold_value::with_stack(|| each_part(part, found));
        }
    }
}

/// How deep parts of an expression are looked for that give deprecated parts of its value.
const MAX_DEPTH: usize = 64;

/// Reports the parts of a value that come from something deprecated, each at the part of the expression that gives it, as far
/// as lists and objects are written out.
fn deprecated_parts(forest: &Forest, expr: ExprAt, value: &Value, out: &mut Diagnostics) {
    deprecated_parts_to(MAX_DEPTH, forest, expr, value, out);
}

fn deprecated_parts_to(depth: usize, forest: &Forest, expr: ExprAt, value: &Value, out: &mut Diagnostics) {
    account::work(2);
    if depth == 0 {
        each_part(value, &mut |_| out.push(deprecated_value(forest.expr_span(expr))));
        return;
    }
    if value.marks().is_deprecated() {
        out.push(deprecated_value(forest.expr_span(expr)));
    }
    let mut into = |inner: Option<ExprAt>, part: &Value| {
        account::work(1);
        if part.deep_marks().is_deprecated() {
            deprecated_parts_to(depth - 1, forest, inner.unwrap_or(expr), part, out);
        }
    };
    if let Some(items) = value.as_items() {
        let written = statics::written_list(forest, expr).unwrap_or_default();
        account::work(written.len() as u64);
        for (at, item) in items.iter().enumerate() {
            into(written.get(at).copied(), item);
        }
    }
    if let Some(entries) = value.as_entries() {
        let written = statics::written_map(forest, expr).unwrap_or_default();
        let mut by_name: HashMap<String, ExprAt> = HashMap::default();
        for (key, inner) in written.charged(4) {
            let name = eval::constant(forest, key, &mut Diagnostics::new()).as_text().map(str::to_owned);
            let name = name.unwrap_or_else(|| forest.sources.text(forest.expr_span(key)).into_owned());
            account::copy(name.len());
            by_name.insert(name, inner);
        }
        for (name, part) in entries {
            into(by_name.get(&**name).copied(), part);
        }
    }
}

/// Returns a value without the mark that it comes from something deprecated.
pub fn plain(value: &Value) -> Value {
    if !value.deep_marks().is_deprecated() {
        return value.clone();
    }
    let own = value.marks().without(Marks::DEPRECATED);
    value.map_parts(&plain).with_marks(own)
}

/// How a tool marks the values of resources whose schema has something deprecated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaMarks {
    /// Not at all: a reference to a deprecated attribute is a warning itself.
    None,
    /// Attributes, blocks and whole resources.
    All,
    /// Attributes, and the blocks around them and the whole resource only if an attribute is deprecated.
    Attributes,
}

impl SchemaMarks {
    /// Returns how a dialect does it.
    pub fn for_dialect(dialect: &DialectSpec) -> Self {
        if !dialect.has(Behaviour::DeprecatedAttributesMarkValues) {
            Self::None
        } else if dialect.has(Behaviour::DeprecatedBlocksMarkValues) {
            Self::All
        } else {
            Self::Attributes
        }
    }

    /// Whether values of resources with this schema are marked.
    pub fn apply_to(self, schema: &BodySchema) -> bool {
        match self {
            Self::None => false,
            Self::All => schema.deprecations().attributes || schema.deprecations().blocks,
            Self::Attributes => schema.deprecations().attributes,
        }
    }

    /// Returns the mark of an unknown attribute, or of all blocks of one type, of a resource.
    pub fn of_unknown(self, schema: &BodySchema, name: &str) -> Marks {
        let is_deprecated = schema.attributes.get(name).is_some_and(|attribute| attribute.deprecated)
            || self == Self::All && schema.blocks.get(name).is_some_and(|block| block.body.deprecated);
        if is_deprecated && self != Self::None { Marks::DEPRECATED } else { Marks::NONE }
    }

    /// Returns the mark of the whole object of a resource.
    pub fn of_whole(self, schema: &BodySchema) -> Marks {
        if schema.deprecated && self.apply_to(schema) { Marks::DEPRECATED } else { Marks::NONE }
    }
}
