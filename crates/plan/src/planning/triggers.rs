//! `replace_triggered_by`: which changes of other resources replace an imported object (plan.md, section 12).

use foldhash::HashMap;

use super::codes;
use super::resource::DeclaredResource;
use super::scope::{Site, settled};
use super::state::InstanceRepetition;
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics};
pub(crate) use overfold_check::validate::nodes::{NodeId, NodeKind};
use overfold_check::validate::walker::{meta_argument, meta_blocks};
use overfold_dialect::{Behaviour, words};
use overfold_load::plan::{Action, Change, InstanceKey};
use overfold_model::body::traversal;
use overfold_model::config::ObjectAddr;
use overfold_model::language::addresses::traversal_key;
use overfold_model::language::dependencies::{self, AfterError};
use overfold_model::language::references::{self, AddressWords, Subject};
use overfold_model::scope;
use overfold_syntax::ExprAt;
use overfold_syntax::statics::TraversalKey;
use overfold_value::{Kind, Value};

/// Where the instances of a resource stand in the list of planned resources.
#[derive(Default)]
pub(super) struct InstancePositions {
    all: Vec<usize>,
    by_key: HashMap<Option<InstanceKey>, usize>,
    /// Whether the instances are not known here.
    is_open: bool,
}

/// The planned instances, by the path of calls, the module instance and the node of the resource; `None` if no resource of
/// the tree has triggers.
pub(super) type Changes = Option<HashMap<(usize, usize, NodeId), InstancePositions>>;

impl<'a> Walk<'_, '_, 'a> {
    /// Prepares for triggers, if there are any in the tree.
    pub(super) fn find_triggers(&mut self) {
        let has_triggers = self.validated.walked.iter().any(|walked| {
            walked.nodes.iter().charged(1).any(|node| {
                let NodeKind::Resource(block) = node.kind else { return false };
                meta_blocks(block, words::LIFECYCLE)
                    .any(|lifecycle| meta_argument(lifecycle, words::REPLACE_TRIGGERED_BY).is_some())
            })
        });
        self.changes = has_triggers.then(HashMap::default);
    }

    /// Remembers where an instance is listed.
    pub(super) fn note_change(&mut self, declared: &DeclaredResource<'_>, at: usize, key: Option<&InstanceKey>) {
        let position = self.resources.len();
        let Some(changes) = &mut self.changes else { return };
        account::grow(size_of::<InstancePositions>() as u64 + 16);
        let listed = changes.entry((declared.path, at, declared.id)).or_default();
        listed.all.push(position);
        listed.by_key.insert(key.cloned(), position);
    }

    /// Remembers that the instances of a resource are not known here.
    pub(super) fn note_open(&mut self, declared: &DeclaredResource<'_>, at: usize) {
        if let Some(changes) = &mut self.changes {
            changes.entry((declared.path, at, declared.id)).or_default().is_open = true;
        }
    }

    /// Returns the items of `replace_triggered_by`.
    pub(super) fn triggers_of(&self, declared: &DeclaredResource<'a>) -> Vec<ExprAt> {
        let lifecycles = meta_blocks(declared.block, words::LIFECYCLE);
        let arguments = lifecycles.filter_map(|block| meta_argument(block, words::REPLACE_TRIGGERED_BY));
        let words = AddressWords::for_dialect(self.report.dialect);
        let items = arguments.flat_map(|argument| {
            let mut none = Diagnostics::new();
            let rest = AfterError::CheckedToo;
            dependencies::replace_triggered_by(self.report.forest, argument.expr, words, rest, &mut none)
        });
        items.collect()
    }

    /// Whether a change of another resource replaces an instance. What is wrong with the items up to the first one that
    /// does is reported.
    pub(super) fn is_triggered(
        &self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        out: &mut Diagnostics,
    ) -> bool {
        let mut failed = false;
        for &item in declared.triggers.iter().charged(16) {
            let mut own = Diagnostics::new();
            let replaces = self.triggers(item, declared, at, repeated, &mut own);
            failed |= own.has_errors();
            out.append(own);
            if replaces && !failed {
                return true;
            }
        }
        false
    }

    fn triggers(
        &self,
        item: ExprAt,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        out: &mut Diagnostics,
    ) -> bool {
        let forest = self.report.forest;
        let site = Site { repeated, ..Site::new(declared.path, at) };
        let mut key = |expr| {
            let (value, _) = self.evaluate(expr, site, &mut Diagnostics::new());
            Some(traversal_key(&settled(&value)))
        };
        let Some(found) = traversal::with_keys(forest, item, &mut key) else { return false };
        let words = AddressWords::for_dialect(self.report.dialect);
        let Some(reference) = references::reference(&found, words, &mut Diagnostics::new()) else { return false };
        let Subject::Resource { mode, type_name, name, key } = &reference.subject else { return false };
        let address = ObjectAddr::Resource { mode: *mode, type_name, name };
        let Some(walked) = self.walked(declared.path) else { return false };
        let module = self.module_address(declared.path, at);
        let module = if module.0.is_empty() { "the root module".to_owned() } else { module.to_string() };
        let Some(resource) = walked.evaluation.names().resources.get(&address) else {
            let detail = format!("{address} is not declared in {module}.");
            out.push(Diagnostic::tool(&scope::codes::UNDECLARED_RESOURCE, forest.expr_span(item), detail));
            return false;
        };
        let listed = self.changes.as_ref().and_then(|changes| changes.get(&(declared.path, at, resource.node)));
        if listed.is_some_and(|listed| listed.is_open) {
            return false;
        }
        // With an attribute behind it, the name of a resource is that of its only instance.
        let positions = match (listed, key) {
            (None, _) => &[][..],
            (Some(listed), None) if reference.remaining == 0 => &listed.all,
            (Some(listed), key) => listed.by_key.get(key).map_or(&[][..], std::slice::from_ref),
        };
        let changes: Vec<&Change> =
            positions.iter().charged(1).filter_map(|&at| self.resources.get(at)).map(|found| &found.change).collect();
        let Some(first) = changes.first() else {
            let key = key.as_ref().map_or_else(String::new, ToString::to_string);
            let title = format!("no change found for {address}{key} in {module}");
            let detail = "An item of `replace_triggered_by` refers to a resource or an instance for which nothing is planned. Name an instance that is there.";
            out.push(Diagnostic::tool(&codes::NO_CHANGE, None, detail).titled(title));
            return false;
        };
        let creations = self.report.dialect.has(Behaviour::CreationsTrigger);
        let is_changed = |change: &Change| match change.action {
            Action::Update | Action::Replace | Action::ReplaceAfterCreation => true,
            Action::Create => creations,
            _ => false,
        };
        match reference.rest(&found.steps) {
            [] => changes.iter().any(|change| is_changed(change)),
            steps if is_changed(first) => {
                let keys: Vec<&TraversalKey<'_>> = steps.iter().map(|step| &step.key).collect();
                let before = first.before.as_ref().and_then(|before| part(before, &keys));
                match (before, part(&first.after, &keys)) {
                    (None, None) => false,
                    (Some(before), Some(after)) => !before.same(&after),
                    _ => true,
                }
            }
            _ => false,
        }
    }
}

/// Returns the part of a value to which these steps lead; `None` if there is none. Unlike expressions, a step with a dot
/// leads only into objects, and one in brackets only into maps, lists and tuples.
fn part(value: &Value, steps: &[&TraversalKey<'_>]) -> Option<Value> {
    let mut value = value.clone();
    for step in steps.charged(4) {
        let marks = value.marks();
        let ty = value.ty().clone();
        let unknown = |ty: &overfold_value::Type| Value::unknown(ty.clone()).with_marks(marks);
        if value.is_null() {
            return None;
        }
        let inner = match step {
            TraversalKey::Attr(name) => {
                if ty == overfold_value::Type::Dynamic {
                    return Some(Value::dynamic().with_marks(marks));
                }
                let attribute = ty.attribute(name)?;
                if value.is_known() { value.get(name)?.clone() } else { unknown(&attribute.ty) }
            }
            TraversalKey::IndexText(key) => match value.kind() {
                Kind::Map(_) => value.get(key)?.clone(),
                Kind::Unknown { .. } if matches!(ty, overfold_value::Type::Map(_)) => unknown(ty.element()?),
                _ => return None,
            },
            TraversalKey::IndexNumber(digits) => {
                let at: usize = digits.parse().ok()?;
                match value.kind() {
                    Kind::List(_) | Kind::Tuple(_) => value.items().get(at)?.clone(),
                    Kind::Unknown { .. } => match &ty {
                        overfold_value::Type::List(_) => unknown(ty.element()?),
                        _ => unknown(ty.tuple_elements().get(at)?),
                    },
                    _ => return None,
                }
            }
            TraversalKey::IndexBool(_) | TraversalKey::IndexNull | TraversalKey::IndexOther => return None,
        };
        value = inner.clone().with_marks(inner.marks().and(marks));
    }
    Some(value)
}
