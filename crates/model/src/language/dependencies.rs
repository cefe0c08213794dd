//! Lists of references: `depends_on`, `ignore_changes`, `replace_triggered_by`.

use crate::body::traversal;
use crate::body::traversal::error;
use crate::language::references::{AddressWords, ResourceMode, Subject};
use crate::language::{codes, references};
use overfold_base::account::List;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_syntax::statics::Traversal;
use overfold_syntax::{ExprAt, Forest, statics};

/// The meaning of an action in `depends_on` (terraform.md, section 10.2 (1.14)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionDependency {
    /// It is a reference like any other.
    Taken,
    /// It is an error at the item, which is dropped.
    Refused,
}

/// One item of `depends_on`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency<'f> {
    /// The item as written.
    pub expr: ExprAt,
    /// The reference. Whether it is to a whole object that exists is checked in a later stage.
    pub traversal: Traversal<'f>,
}

/// Reads a list of references. Items with errors are left out, except that the part that was read is kept of a quoted
/// item with an error after its first name.
pub fn depends_on<'f>(
    forest: &'f Forest,
    expr: ExprAt,
    actions: ActionDependency,
    out: &mut Diagnostics,
) -> Vec<Dependency<'f>> {
    let items = statics::static_list(forest, expr, out);
    let mut found = List::new();
    for item in items {
        let Some(traversal) = traversal::absolute_or_quoted(forest, item, out) else { continue };
        if actions == ActionDependency::Refused && &*traversal.root == "action" {
            error(
                out,
                &codes::DEPENDS_ON_ACTION,
                forest.expr_span(item),
                "Other objects cannot depend on an action, because actions run only when a resource triggers them. Remove this item.",
            );
            continue;
        }
        found.push(Dependency { expr: item, traversal });
    }
    found.into_vec()
}

/// The content of `ignore_changes`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IgnoreChanges<'f> {
    /// Whether it is the keyword `all`, or the old `["*"]`.
    pub all: bool,
    /// The attributes; the first step of each is the name of an attribute.
    pub attributes: List<Traversal<'f>>,
}

/// Reads `ignore_changes` (terraform.md, section 5).
pub fn ignore_changes<'f>(forest: &'f Forest, expr: ExprAt, out: &mut Diagnostics) -> IgnoreChanges<'f> {
    let mut found = IgnoreChanges::default();
    if statics::keyword(forest, expr).is_some_and(|word| &*word == "all") {
        found.all = true;
        return found;
    }
    let mut star = None;
    for item in statics::static_list(forest, expr, out) {
        if traversal::plain_text(forest, item).is_some_and(|text| &*text == "*") {
            found.all = true;
            star = Some(forest.expr_span(item));
            error(
                out,
                &codes::IGNORE_CHANGES_WILDCARD,
                forest.expr_span(expr),
                "The list [\"*\"] is no longer supported. Write `ignore_changes = all` to ignore changes to every attribute.",
            );
        } else if let Some(traversal) = traversal::absolute_or_quoted(forest, item, out) {
            found.attributes.push(traversal);
        }
    }
    if let Some(star) = star
        && !found.attributes.is_empty()
    {
        out.push(
            Diagnostic::tool(
                &codes::IGNORE_CHANGES_RULESET,
                star,
                "The wildcard already covers every attribute, so the list cannot contain anything else. Write `ignore_changes = all`, or list attributes only.",
            )
            .within(forest.expr_span(expr)),
        );
    }
    found
}

/// What happens to the items after one with an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterError {
    /// They are not checked.
    Skipped,
    /// In native syntax they are checked; in JSON, their strings are only parsed.
    CheckedToo,
}

/// Reads `replace_triggered_by`: each item must refer to one resource; its keys may contain `count.index` and
/// `each.key`. Returns the items (in JSON, the expressions in the strings).
pub fn replace_triggered_by(
    forest: &Forest,
    expr: ExprAt,
    words: AddressWords,
    rest: AfterError,
    out: &mut Diagnostics,
) -> Vec<ExprAt> {
    let (items, verdict) = out.watch(|out| statics::static_list(forest, expr, out));
    let mut failed = verdict.failed();
    let mut found = Vec::with_capacity(items.len());
    for item in items {
        let ((), verdict) = out.watch(|out| {
            // The strings of a JSON list are parsed, and errors in them reported, in any case.
            let read = traversal::reference_expression(forest, item, out);
            found.push(read.unwrap_or(item));
            let is_json = matches!(item, ExprAt::Json(..));
            let is_checked = !(failed || read.is_none()) || (rest == AfterError::CheckedToo && !is_json);
            if is_checked {
                trigger(forest, read.unwrap_or(item), words, out);
            }
        });
        failed |= verdict.failed();
    }
    found
}

fn trigger(forest: &Forest, item: ExprAt, words: AddressWords, out: &mut Diagnostics) {
    let span = forest.expr_span(item);
    let mut subjects = Vec::new();
    let mut bad = false;
    for traversal in statics::references(forest, item) {
        let mut own = Diagnostics::new();
        match references::reference(&traversal, words, &mut own) {
            Some(reference) => subjects.push(reference.subject),
            None => bad = true,
        }
        for mut diagnostic in own.into_vec() {
            // The tool reports these at the whole item.
            diagnostic.span = Some(span);
            out.push(diagnostic);
        }
    }
    if bad {
        return;
    }
    let mut resources = 0;
    for subject in subjects {
        match subject {
            Subject::Resource {
                mode: ResourceMode::Managed | ResourceMode::Data | ResourceMode::Ephemeral, ..
            } => {
                resources += 1;
            }
            Subject::Each(name) if name == "key" => {}
            Subject::Count(name) if name == "index" => {}
            Subject::Each(_) => {
                error(
                    out,
                    &codes::TRIGGER_EACH,
                    span,
                    "`replace_triggered_by` can use only `each.key`, not `each.value`.",
                );
            }
            Subject::Count(_) => {
                error(
                    out,
                    &codes::TRIGGER_COUNT,
                    span,
                    "`count` has only the attribute `index`. Write `count.index`.",
                );
            }
            _ => error(
                out,
                &codes::TRIGGER_REFERENCE,
                span,
                "Only resources and their attributes can trigger a replacement. To use another value, refer to a resource that depends on it.",
            ),
        }
    }
    if resources != 1 {
        error(
            out,
            &codes::TRIGGER_EXPRESSION,
            span,
            if resources == 0 {
                "Each item must refer to a resource, and this one does not."
            } else {
                "Each item must refer to exactly one resource. Write one item for each resource."
            },
        );
    }
}
