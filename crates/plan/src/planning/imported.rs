//! What is planned for an imported object (plan.md, section 12).

use std::sync::Arc;

use foldhash::HashSet;

use super::resource::DeclaredResource;
use super::scope::without_inexact;
use super::terraform_data::{self, STORE, object, output_of};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_check::validate::walker::{meta_argument, meta_blocks};
use overfold_dialect::words;
use overfold_load::plan::{Action, Change};
use overfold_model::language::dependencies;
use overfold_syntax::Forest;
use overfold_syntax::statics::TraversalKey;
use overfold_value::{Kind, Type, Value};

/// Which changes of a `terraform_data` are ignored, as far as that can matter where everything but the identifier is null
/// before.
#[derive(Default)]
pub(super) struct Ignored {
    input: IgnoredPart,
    triggers: IgnoredPart,
    store: IgnoredPart,
}

/// Which changes of an attribute are ignored.
#[derive(Default)]
struct IgnoredPart {
    /// All of them.
    all: bool,
    /// Those of elements with these keys.
    elements: HashSet<Box<str>>,
}

impl Ignored {
    /// Reads `ignore_changes`.
    pub(super) fn from_resource(forest: &Forest, declared: &DeclaredResource<'_>) -> Self {
        let mut ignored = Self::default();
        for lifecycle in meta_blocks(declared.block, words::LIFECYCLE) {
            let Some(argument) = meta_argument(lifecycle, words::IGNORE_CHANGES) else { continue };
            let found = dependencies::ignore_changes(forest, argument.expr, &mut Diagnostics::new());
            ignored.input.all |= found.all;
            ignored.triggers.all |= found.all;
            ignored.store.all |= found.all;
            for traversal in found.attributes.iter().charged(4) {
                let part = match &*traversal.root {
                    INPUT => &mut ignored.input,
                    TRIGGERS => &mut ignored.triggers,
                    STORE => &mut ignored.store,
                    _ => continue,
                };
                match traversal.steps.as_slice() {
                    [] => part.all = true,
                    // The attribute is null before, so nothing below it is found there but the element of a map.
                    [step] => {
                        if let TraversalKey::IndexText(key) = &step.key {
                            account::grow(32 + key.len() as u64);
                            part.elements.insert((**key).into());
                        }
                    }
                    _ => {}
                }
            }
        }
        ignored
    }
}

impl IgnoredPart {
    /// Returns what of an argument is left, if that is not all of it.
    fn left(&self, value: &Value) -> Option<Value> {
        let is_changed = !is_untyped_null(value) || !value.marks().is_empty();
        if !is_changed {
            return None;
        }
        if self.all {
            return Some(Value::untyped_null());
        }
        if self.elements.is_empty() {
            return None;
        }
        if !matches!(value.ty(), Type::Map(_)) {
            return Some(Value::untyped_null());
        }
        let Kind::Map(_) = value.kind() else { return None };
        let entries = value.entries().iter().charged_at_once(2);
        let kept = entries.filter(|(key, _)| !self.elements.contains(&**key)).cloned().collect();
        Some(Value::map(value.ty().element().cloned().unwrap_or(Type::Dynamic), kept).with_marks(value.marks()))
    }
}

/// The arguments of a `terraform_data`.
const INPUT: &str = "input";
const TRIGGERS: &str = "triggers_replace";

/// What decides about an imported object beside its arguments.
pub(super) struct Circumstances<'i> {
    /// Which changes are ignored.
    pub(super) ignored: &'i Ignored,
    /// Whether another change forces a replacement.
    pub(super) is_triggered: bool,
    /// What a replacement is.
    pub(super) replacement: Action,
}

/// Returns the object of a `terraform_data` as it is imported; `store` is its store, which is null, or `None` if the
/// version has none.
pub(super) fn before(id: &Value, store: Option<Value>) -> Value {
    let nothing = Value::untyped_null;
    object(shown_id(id), nothing(), nothing(), store, nothing())
}

/// The tool shows an identifier in any case.
fn shown_id(id: &Value) -> Value {
    without_inexact(&id.unmarked().with_marks(id.marks().confidential()))
}

/// Returns the change of an imported `terraform_data`; `created` is what would be planned for a new one.
pub(super) fn terraform_data(
    id: &Value,
    arguments: &Value,
    created: &Value,
    circumstances: &Circumstances<'_>,
) -> Change {
    let part = |name: &str| without_inexact(&arguments.get(name).cloned().unwrap_or_else(Value::untyped_null));
    let ignored = circumstances.ignored;
    let (own_input, own_triggers) = (part(INPUT), part(TRIGGERS));
    let (left_input, left_triggers) = (ignored.input.left(&own_input), ignored.triggers.left(&own_triggers));
    let input = left_input.clone().unwrap_or_else(|| own_input.clone());
    let triggers = left_triggers.clone().unwrap_or_else(|| own_triggers.clone());
    let no_store = created.get(STORE).map(|store| Value::null(store.ty().clone()));
    let store = if ignored.store.all { no_store.clone() } else { created.get(STORE).cloned() };
    let is_stored = store.as_ref().is_some_and(|store| !store.is_null());
    let store_replaces = store.as_ref().is_some_and(terraform_data::replaces);
    let before = before(id, no_store);
    let id = shown_id(id);
    // The provider compares types as well, so the null of another type is a change to it.
    let is_retriggered = !is_untyped_null(&triggers);
    let replaces = is_retriggered && !triggers.is_null();
    let (action, after, reason) = if replaces || store_replaces || circumstances.is_triggered {
        // What is ignored counts for the new object, but it has lost its marks.
        let after = |name: &str| {
            let value = created.get(name).cloned().unwrap_or_else(Value::untyped_null);
            let left = match name {
                INPUT => &left_input,
                TRIGGERS => &left_triggers,
                _ => &None,
            };
            match left {
                Some(left) => marked_like(&value, left),
                None => value,
            }
        };
        let after = object(after("id"), after(INPUT), after("output"), store, after(TRIGGERS));
        let reason = if circumstances.is_triggered { "replace_by_triggers" } else { "replace_because_cannot_update" };
        (circumstances.replacement, after, Some(reason))
    } else if is_retriggered {
        let new = created.get("id").cloned().unwrap_or_else(Value::dynamic);
        (Action::Update, object(new, input.clone(), output_of(&input), store, triggers.clone()), None)
    } else if !is_untyped_null(&input) || is_stored {
        let output = if is_untyped_null(&input) { Value::untyped_null() } else { Value::unknown(input.ty().clone()) };
        (Action::Update, object(id.clone(), input.clone(), output, store, triggers.clone()), None)
    } else {
        // A mark alone is a change, too.
        let is_marked = !input.marks().is_empty() || !triggers.marks().is_empty();
        let after = object(id.clone(), input.clone(), Value::untyped_null(), store, triggers.clone());
        (if is_marked { Action::Update } else { Action::NoOp }, after, None)
    };
    let mut replace_paths = Vec::new();
    if replaces {
        replace_paths.push(vec![Arc::from(TRIGGERS)]);
    }
    if store_replaces {
        replace_paths.push(terraform_data::replace_path());
    }
    Change {
        action,
        prior: Some(before.clone()),
        before: Some(before),
        after,
        replace_paths,
        importing: Some(id),
        reason,
        depends_on: Arc::from([]),
    }
}

/// Whether a value is the null that an argument has that is not set, whatever its marks.
fn is_untyped_null(value: &Value) -> bool {
    matches!(value.kind(), Kind::Null(Type::Dynamic))
}

/// Returns a value with the marks of what is left of it.
fn marked_like(value: &Value, other: &Value) -> Value {
    let value = value.unmarked_deep();
    if other.deep_marks().is_empty() {
        return value;
    }
    let value = match (value.kind(), value.as_entries()) {
        (Kind::Map(_), Some(entries)) => {
            // The elements that are left are the same.
            let entries = entries
                .iter()
                .charged_at_once(4)
                .map(|(key, value)| (Arc::clone(key), other.get(key).unwrap_or(value).clone()));
            let element = value.ty().element().cloned().unwrap_or(Type::Dynamic);
            Value::map(element, entries.collect())
        }
        _ => value,
    };
    value.with_marks(other.marks())
}
