//! References of a resource to itself. The tool connects the instances with each other before it plans them: several that
//! need each other are a cycle; a single one that needs itself is reported where it names itself.

use std::sync::Arc;

use foldhash::HashSet;

use super::codes;
use super::resource::DeclaredResource;
use super::state::{InstanceRepetition, Kind};
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_base::written::written;
use overfold_check::validate::body::{self, Body};
use overfold_check::validate::codes as validate_codes;
use overfold_check::validate::report::cycle_title;
use overfold_check::validate::walker::meta_argument;
use overfold_dialect::{Behaviour, words};
use overfold_model::config::ObjectAddr;
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
    /// Reports references of a resource to itself in what repeats it. Returns whether there are any. In versions that
    /// accept them it has no instances yet.
    pub(super) fn is_repeated_by_itself(&mut self, declared: &DeclaredResource<'a>, out: &mut Diagnostics) -> bool {
        if !self.report.dialect.has(Behaviour::RepetitionIsNotItsOwn) {
            if self.names_itself(declared) {
                self.keep_none(declared);
            }
            return false;
        }
        let mut found = List::new();
        for name in [words::COUNT, words::FOR_EACH] {
            if let Some(argument) = meta_argument(declared.block, name) {
                self.own_references(declared, argument.expr, &[], &mut found);
            }
        }
        let address = declared.address();
        for place in found.iter().filter_map(|reference| reference.place) {
            out.push(refers_to_itself(address, None, place));
        }
        !found.is_empty()
    }

    /// Lets imports into a resource see it without instances, in versions whose imports may refer to it.
    pub(super) fn hide_from_imports(&mut self, declared: &DeclaredResource<'a>) {
        if self.imports.lead_to(declared.path, declared.address())
            && self.report.dialect.has(Behaviour::ImportsSeeNoInstancesOfTheirTarget)
        {
            self.keep_none(declared);
        }
    }

    /// Lets others see the resource without instances.
    fn keep_none(&mut self, declared: &DeclaredResource<'a>) {
        let kind = if meta_argument(declared.block, words::COUNT).is_some() {
            Kind::Count
        } else if meta_argument(declared.block, words::FOR_EACH).is_some() {
            Kind::ForEach
        } else {
            return;
        };
        for at in (0..self.instance_count(declared.path)).charged(4) {
            self.keep(declared, at, kind.whole(Vec::new()));
        }
    }

    /// Reports instances that need each other. Returns whether there are any.
    pub(super) fn is_circle(
        &self,
        declared: &DeclaredResource<'a>,
        at: usize,
        keys: &[Option<InstanceRepetition>],
        out: &mut Diagnostics,
    ) -> bool {
        if !self.names_itself(declared) || keys.len() < 2 {
            return false;
        }
        let mut found = self.references_in_body(declared);
        found.extend(self.references_in_depends_on(declared));
        let all: HashSet<&InstanceKey> = keys.iter().flatten().map(|repeated| &repeated.key).collect();
        // One that is not there stands for all of them.
        let names_all = found.iter().any(|reference| reference.key.as_ref().is_none_or(|key| !all.contains(key)));
        let own: HashSet<&InstanceKey> =
            found.iter().charged_at_once(2).filter_map(|reference| reference.key.as_ref()).collect();
        let is_named = |repeated: &InstanceRepetition| names_all || own.contains(&repeated.key);
        let named = keys.iter().charged_at_once(2).flatten().filter(|repeated| is_named(repeated));
        let names: Vec<Arc<str>> = named.map(|repeated| self.qualified(declared, at, Some(repeated))).collect();
        if names.len() < 2 {
            return false;
        }
        let length = names.iter().map(|name| name.len() + 2).sum();
        account::touch(length);
        account::room(2 * length);
        let title = cycle_title(self.report.dialect, &names);
        let detail = "The dependencies between these instances form a cycle, so none of them can be planned first. Remove the reference of the resource to itself, or let it name one instance.";
        out.push(Diagnostic::tool(&validate_codes::CYCLE, None, detail).titled(title));
        true
    }

    /// Returns the position of the instance that the resource itself names, of which there is at most one: the others
    /// depend on it.
    pub(super) fn named_instance(
        &self,
        declared: &DeclaredResource<'a>,
        keys: &[Option<InstanceRepetition>],
    ) -> Option<usize> {
        if !self.names_itself(declared) || keys.len() < 2 {
            return None;
        }
        let mut found = self.references_in_body(declared);
        found.extend(self.references_in_depends_on(declared));
        keys.iter().charged_at_once(1 + found.len() as u64).position(|repeated| {
            let own = repeated.as_ref().map(|repeated| &repeated.key);
            found.iter().any(|one| one.key.is_some() && one.key.as_ref() == own)
        })
    }

    /// Reports an instance that needs itself. Returns whether it does.
    pub(super) fn needs_itself(
        &self,
        declared: &DeclaredResource<'a>,
        repeated: Option<&InstanceRepetition>,
        out: &mut Diagnostics,
    ) -> bool {
        if !self.names_itself(declared) {
            return false;
        }
        // Without repetition, the address of the instance is that of the resource, and the tool looks for both.
        let is_once = repeated.is_some() || self.report.dialect.has(Behaviour::EqualErrorsToldOnce);
        let times = if is_once { 1 } else { 2 };
        let own = repeated.map(|repeated| &repeated.key);
        let mut is_reported = false;
        for reference in self.references_in_body(declared) {
            let Some(place) = reference.place.filter(|_| reference.key.is_none() || reference.key.as_ref() == own)
            else {
                continue;
            };
            for _ in 0..times {
                out.push(refers_to_itself(declared.address(), reference.key.as_ref(), place));
            }
            is_reported = true;
        }
        is_reported
    }

    pub(super) fn names_itself(&self, declared: &DeclaredResource<'a>) -> bool {
        let node = self.walked(declared.path).and_then(|walked| walked.nodes.get(declared.id));
        node.is_some_and(|node| node.refers_to_itself)
    }

    fn references_in_body(&self, declared: &DeclaredResource<'a>) -> Vec<OwnReference> {
        let mut found = List::new();
        for expression in body::expressions(&Body::new(self.report.forest, declared.block, None)) {
            self.own_references(declared, expression.expr, &expression.bound, &mut found);
        }
        found.into_vec()
    }

    fn references_in_depends_on(&self, declared: &DeclaredResource<'a>) -> Vec<OwnReference> {
        let Some(argument) = meta_argument(declared.block, words::DEPENDS_ON) else { return Vec::new() };
        let words = AddressWords::for_dialect(self.report.dialect);
        let mut none = Diagnostics::new();
        let items = dependencies::depends_on(self.report.forest, argument.expr, ActionDependency::Taken, &mut none);
        let found = items.into_iter().charged(4).filter_map(|item| {
            let reference = references::reference(&item.traversal, words, &mut Diagnostics::new())?;
            own_reference(declared, &reference.subject, None)
        });
        found.collect()
    }

    fn own_references(
        &self,
        declared: &DeclaredResource<'a>,
        expr: overfold_syntax::ExprAt,
        bound: &[std::sync::Arc<str>],
        found: &mut List<OwnReference>,
    ) {
        let Some(walked) = self.walked(declared.path) else { return };
        let language = &walked.evaluation.evaluator.known.language;
        for reference in walked.evaluation.names().references(language, expr, bound).list.iter().charged(4) {
            let subject = reference.subject.as_ref();
            let own = subject.and_then(|subject| own_reference(declared, subject, Some(reference.span)));
            if let Some(own) = own {
                found.push(own);
            }
        }
    }
}

/// Returns a reference to this resource; `None` if it names something else.
fn own_reference(
    declared: &DeclaredResource<'_>,
    subject: &Subject<'_>,
    place: Option<Span>,
) -> Option<OwnReference> {
    match subject {
        Subject::Resource { mode, type_name, name, key }
            if *mode == declared.mode && *type_name == declared.type_name && *name == declared.name =>
        {
            Some(OwnReference { key: key.clone(), place })
        }
        _ => None,
    }
}

fn refers_to_itself(address: ObjectAddr<'_>, key: Option<&InstanceKey>, place: Span) -> Diagnostic {
    let why = "refers to itself, so it can never be evaluated.";
    let detail = match key {
        Some(key) => written(format_args!("{address}{key} {why}")),
        None => written(format_args!("{address} {why}")),
    };
    Diagnostic::tool(&codes::SELF_REFERENCE, place, detail)
}
