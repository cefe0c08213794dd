//! References of a resource to itself. The tool connects the instances with each other before it plans them: several that
//! need each other are a cycle; a single one that needs itself is reported where it names itself.

use super::codes;
use super::resource::Declared;
use super::state::Repeated;
use super::walk::Walk;
use crate::validate::body::{self, Body};
use crate::validate::codes as validate_codes;
use crate::validate::walker::meta_argument;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words;
use overfold_model::language::dependencies::{self, ActionDependency};
use overfold_model::language::references::{self, AddressWords, InstanceKey, Subject};

/// A reference of a resource to itself.
struct OwnReference {
    /// The instance that it names; `None` if it names the resource.
    key: Option<InstanceKey>,
    /// Where it is, if the tool reports it there.
    place: Option<Span>,
}

impl<'a> Walk<'_, '_, 'a> {
    /// Reports references of a resource to itself in what repeats it. Returns whether there are any.
    pub(super) fn is_repeated_by_itself(&self, declared: &Declared<'a>, out: &mut Diagnostics) -> bool {
        let mut found = Vec::new();
        for name in [words::COUNT, words::FOR_EACH] {
            if let Some(argument) = meta_argument(declared.block, name) {
                self.own_references(declared, argument.expr, &[], &mut found);
            }
        }
        let address = declared.address();
        for place in found.iter().filter_map(|reference| reference.place) {
            out.push(refers_to_itself(&address.to_string(), place));
        }
        !found.is_empty()
    }

    /// Reports instances that need each other. Returns whether there are any.
    pub(super) fn is_circle(
        &self,
        declared: &Declared<'a>,
        at: usize,
        keys: &[Option<Repeated>],
        out: &mut Diagnostics,
    ) -> bool {
        if !self.names_itself(declared) || keys.len() < 2 {
            return false;
        }
        let mut found = self.references_in_body(declared);
        found.extend(self.references_in_depends_on(declared));
        let names_all = found.iter().any(|reference| reference.key.is_none());
        account::work((keys.len() as u64).saturating_mul(1 + found.len() as u64));
        let is_named =
            |repeated: &Repeated| names_all || found.iter().any(|one| one.key.as_ref() == Some(&repeated.key));
        let named = keys.iter().flatten().filter(|repeated| is_named(repeated));
        let names: Vec<String> = named.map(|repeated| self.qualified(declared, at, Some(repeated))).collect();
        if names.len() < 2 {
            return false;
        }
        account::grow(names.iter().map(|name| name.len() as u64 + 2).sum());
        let title = format!("Cycle: {}", names.join(", "));
        let detail = "These instances depend on each other in a circle, so none of them can be planned first. Remove the reference of the resource to itself, or let it name one instance.";
        out.push(Diagnostic::tool(&validate_codes::CYCLE, None, detail).titled(title));
        true
    }

    /// Reports an instance that needs itself. Returns whether it does.
    pub(super) fn needs_itself(
        &self,
        declared: &Declared<'a>,
        repeated: Option<&Repeated>,
        out: &mut Diagnostics,
    ) -> bool {
        if !self.names_itself(declared) {
            return false;
        }
        // Without repetition, the address of the instance is that of the resource, and the tool looks for both.
        let times = if repeated.is_some() { 1 } else { 2 };
        let own = repeated.map(|repeated| &repeated.key);
        let mut is_reported = false;
        for reference in self.references_in_body(declared) {
            let Some(place) = reference.place.filter(|_| reference.key.is_none() || reference.key.as_ref() == own)
            else {
                continue;
            };
            let key = reference.key.map_or_else(String::new, |key| key.to_string());
            for _ in 0..times {
                out.push(refers_to_itself(&format!("{}{key}", declared.address()), place));
            }
            is_reported = true;
        }
        is_reported
    }

    fn names_itself(&self, declared: &Declared<'a>) -> bool {
        let node = self.walked(declared.path).and_then(|walked| walked.nodes.get(declared.id));
        node.is_some_and(|node| node.refers_to_itself)
    }

    fn references_in_body(&self, declared: &Declared<'a>) -> Vec<OwnReference> {
        let mut found = Vec::new();
        for expression in body::expressions(&Body::new(self.report.forest, declared.block, None)) {
            self.own_references(declared, expression.expr, &expression.bound, &mut found);
        }
        found
    }

    fn references_in_depends_on(&self, declared: &Declared<'a>) -> Vec<OwnReference> {
        let Some(argument) = meta_argument(declared.block, words::DEPENDS_ON) else { return Vec::new() };
        let words = AddressWords::of(self.report.dialect);
        let mut none = Diagnostics::new();
        let items = dependencies::depends_on(self.report.forest, argument.expr, ActionDependency::Taken, &mut none);
        let found = items.into_iter().filter_map(|item| {
            account::work(4);
            let reference = references::reference(&item.traversal, words, &mut Diagnostics::new())?;
            own_reference(declared, &reference.subject, None)
        });
        found.collect()
    }

    fn own_references(
        &self,
        declared: &Declared<'a>,
        expr: overfold_syntax::ExprAt,
        bound: &[std::sync::Arc<str>],
        found: &mut Vec<OwnReference>,
    ) {
        let Some(walked) = self.walked(declared.path) else { return };
        let language = &walked.evaluation.evaluator.known.language;
        for reference in &walked.evaluation.names().references(language, expr, bound).list {
            account::work(4);
            let subject = reference.subject.as_ref();
            let own = subject.and_then(|subject| own_reference(declared, subject, Some(reference.span)));
            if let Some(own) = own {
                account::push(found, own);
            }
        }
    }
}

/// Returns a reference to this resource; `None` if it names something else.
fn own_reference(declared: &Declared<'_>, subject: &Subject<'_>, place: Option<Span>) -> Option<OwnReference> {
    match subject {
        Subject::Resource { mode, type_name, name, key }
            if *mode == declared.mode && *type_name == declared.type_name && *name == declared.name =>
        {
            Some(OwnReference { key: key.clone(), place })
        }
        _ => None,
    }
}

fn refers_to_itself(address: &str, place: Span) -> Diagnostic {
    let detail = format!("{address} refers to itself, so it can never be evaluated.");
    Diagnostic::tool(&codes::SELF_REFERENCE, place, detail)
}
