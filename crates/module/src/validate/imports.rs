//! `import` blocks: whether the target is there and takes such a key, and the identifier (validate.md, section 6).

use std::rc::Rc;
use std::sync::Arc;

use super::codes;
use super::names::{Place, Repeated, Steps};
use super::nodes::{Dependency, NodeId, is_error};
use super::walker::{Visit, Walked, meta_argument};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_dialect::words;
use overfold_eval::Roots;
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::addresses::{self, ImportTargets, Target};
use overfold_model::language::references::{AddressWords, InstanceKey, Subject};
use overfold_syntax::ExprAt;
use overfold_value::{Type, Value, convert};

impl<'a> Walked<'a> {
    /// Returns the target of an `import` block, and where it stands.
    pub(crate) fn import_target(&self, block: &Block<'a>) -> Option<(Target, Span)> {
        let report = self.module.report;
        let to = meta_argument(block, words::TO).filter(|found| !found.broken)?;
        let mut discarded = Diagnostics::new();
        let words = AddressWords::of(report.dialect);
        let kinds = ImportTargets::ComputedKeys;
        let target = addresses::import_to(report.forest, to.expr, to.range, kinds, words, &mut discarded)?;
        let inner = match to.expr {
            ExprAt::Json(source, node) => report.forest.parse_json_expression(source, node, &mut discarded),
            ExprAt::Native(..) => None,
        };
        Some((target, report.forest.expr_span(inner.unwrap_or(to.expr))))
    }

    /// Checks an `import` block. What is found counts as found at the target, if that is declared in this module.
    pub(super) fn import(&mut self, own: NodeId, block: &'a Block<'a>) {
        let Some((target, at)) = self.import_target(block) else { return };
        let Some(step) = &target.resource else { return };
        let mut visit = Visit::default();
        let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
        let is_here = target.modules.is_empty();
        let resource = self.evaluation.names().resources.get(&address).filter(|_| is_here).cloned();
        let node = resource.as_ref().map_or(own, |resource| resource.node);
        self.refers_to_target(block, address, is_here, &mut visit.out);
        if visit.out.iter().any(is_error) {
            // It is part of the graph all the same.
            let mut unreported = Visit::default();
            self.import_id(block, &mut unreported);
            visit.dependencies.append(&mut unreported.dependencies);
        } else {
            if let Some(resource) = &resource
                && !target.computed
                && !fits(step.key.as_ref(), resource.repetition)
            {
                visit.out.push(wrong_key(address, resource.repetition, at));
            } else if resource.is_none() && is_here && step.key.is_some() {
                visit.out.push(no_target(&target, at));
            }
            self.import_id(block, &mut visit);
        }
        if node != own {
            visit.dependencies.retain(|found| *found != Dependency::Node(node));
        }
        self.take(node, visit);
    }

    /// Reports an identifier that depends on the imported object.
    fn refers_to_target(
        &mut self,
        block: &'a Block<'a>,
        address: ObjectAddr<'_>,
        is_here: bool,
        out: &mut Diagnostics,
    ) {
        let Some(id) = meta_argument(block, words::ID).filter(|id| is_here && !id.broken) else { return };
        let references = self.evaluation.look_up(
            id.expr,
            &Place { each: true, ..Place::default() },
            &[],
            &mut Steps::default(),
            &mut Vec::new(),
        );
        for reference in &references.list {
            account::work(1);
            if let Some(Subject::Resource { mode, type_name, name, .. }) = &reference.subject
                && (ObjectAddr::Resource { mode: *mode, type_name, name }) == address
            {
                let detail = format!("The identifier depends on {address}, which is to be imported with it.");
                out.push(Diagnostic::tool(&codes::IMPORT_ID, reference.span, detail));
            }
        }
    }

    /// Checks the identifier, for each element of a known `for_each`.
    fn import_id(&mut self, block: &'a Block<'a>, visit: &mut Visit) {
        let mut each: Vec<Option<Rc<Roots>>> = Vec::new();
        let for_each = meta_argument(block, words::FOR_EACH).filter(|found| !found.broken);
        if let Some(for_each) = for_each {
            let place = Place::default();
            let value = self.evaluation.expression(for_each.expr, &place, &mut visit.dependencies, &mut visit.out);
            if visit.out.iter().any(is_error) {
                return;
            }
            for (key, value) in value.elements() {
                account::work(8);
                let mut roots = Roots::new();
                let parts = vec![(Arc::from("key"), key), (Arc::from("value"), value)];
                roots.insert(Arc::from(words::EACH), Value::object(parts));
                each.push(Some(Rc::new(roots)));
            }
        }
        if each.is_empty() {
            each.push(None);
        }
        let Some(id) = meta_argument(block, words::ID).filter(|id| !id.broken) else { return };
        let place = Place { each: for_each.is_some(), ..Place::default() };
        let mut steps = Steps::default();
        let references = self.evaluation.look_up(id.expr, &place, &[], &mut steps, &mut visit.dependencies);
        let at = self.evaluation.span(id.expr);
        for roots in each {
            let mut own = Diagnostics::new();
            let value = self.evaluation.value(id.expr, &references, roots.as_ref(), &mut own);
            if !own.iter().any(is_error) {
                identifier(&value, at, &mut own);
            }
            steps.evaluation.append(own);
        }
        steps.finish(&mut visit.out);
    }
}

/// Checks the value of an identifier.
pub(crate) fn identifier(value: &Value, at: Span, out: &mut Diagnostics) {
    match convert(value, &Type::String) {
        Err(problem) => {
            let detail = format!("The identifier is not a string: {problem}.");
            let quotes = Quotes::Values(value.deep_marks().secrecy());
            out.push(Diagnostic::tool(&codes::INCORRECT_TYPE, at, detail).quoting(quotes));
        }
        Ok(id) if id.is_null() => {
            out.push(Diagnostic::tool(&codes::IMPORT_ID, at, "The identifier is null, but it must be a string."));
        }
        Ok(id) if id.as_text() == Some("") => {
            out.push(Diagnostic::tool(&codes::IMPORT_ID, at, "The identifier is an empty string."));
        }
        Ok(_) => {}
    }
}

/// Whether an instance key is of the kind that a repetition has.
const fn fits(key: Option<&InstanceKey>, repetition: Repeated) -> bool {
    matches!(
        (key, repetition),
        (None, Repeated::No)
            | (Some(InstanceKey::Number(_)), Repeated::Count)
            | (Some(InstanceKey::Text(_)), Repeated::ForEach)
    )
}

/// Reports a key that does not fit the repetition of its resource.
pub(super) fn wrong_key(address: ObjectAddr<'_>, repetition: Repeated, at: Span) -> Diagnostic {
    let detail = match repetition {
        Repeated::No => format!("{address} has neither `count` nor `for_each`, so it has no instance keys."),
        Repeated::Count => format!("{address} has `count`, so its instance keys are numbers, as in {address}[0]."),
        Repeated::ForEach => {
            format!("{address} has `for_each`, so its instance keys are strings, as in {address}[\"key\"].")
        }
    };
    Diagnostic::tool(&codes::IMPORT_KEY, at, detail)
}

/// Reports a target that is not declared.
pub(super) fn no_target(target: &Target, at: Span) -> Diagnostic {
    let detail =
        format!("{target} is not declared, so nothing can be imported into it. Add a block that declares it.");
    Diagnostic::tool(&codes::IMPORT_TARGET, at, detail)
}

/// Whether a key fits a resource of a called module, which is what the target of an `import` block leads to.
pub(super) const fn key_fits(key: Option<&InstanceKey>, repetition: Repeated) -> bool {
    fits(key, repetition)
}
