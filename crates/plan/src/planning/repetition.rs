//! `count` and `for_each` of resources and module calls (plan.md, section 6).

use std::sync::Arc;

use super::codes;
use super::needs::{Need, NeedSite, Unknown};
use super::scope::{Site, settled};
use super::state::{InstanceRepetition, Kind};
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_check::validate::codes as validate_codes;
use overfold_check::validate::meta::FOR_EACH;
use overfold_check::validate::walker::meta_argument;
use overfold_dialect::{Behaviour, words};
use overfold_load::instance::{Instance, Repetition};
use overfold_model::config::{Argument, Block, repeated_by};
use overfold_model::language::references::{AddressWords, InstanceKey, Subject, reference};
use overfold_model::scope;
use overfold_syntax::statics;
use overfold_value::{Type, Value, convert};

/// The instances of an object.
#[derive(Debug)]
pub(super) enum Instances {
    /// Those with these keys, in order.
    Known(Kind, Vec<Option<InstanceRepetition>>),
    /// They are not known because something was not given.
    NotKnownHere(Unknown),
    /// There would be more than there may be. That has been reported.
    TooMany,
    /// The value is wrong, or known only when the plan is applied. That has been reported.
    Wrong,
}

impl<'a> Walk<'_, '_, 'a> {
    /// Evaluates `count` or `for_each` of a block.
    pub(super) fn repetition(&mut self, block: &'a Block<'a>, site: Site<'_>, out: &mut Diagnostics) -> Instances {
        let count = meta_argument(block, words::COUNT);
        let for_each = meta_argument(block, words::FOR_EACH);
        if let Some(enabled) = repeated_by(block, words::ENABLED).filter(|_| count.is_none() && for_each.is_none()) {
            return self.enabled(enabled, site, out);
        }
        let (argument, is_count) = match (count, for_each) {
            (Some(count), _) => (count, true),
            (None, Some(for_each)) => (for_each, false),
            (None, None) if !self.counts(1) => return Instances::TooMany,
            (None, None) => return Instances::Known(Kind::Single, vec![None]),
        };
        let mut own = Diagnostics::new();
        let (raw, verdict) = self.evaluate_whole(argument.expr, site, &mut own);
        out.append(own);
        let at = self.report.forest.expr_span(argument.expr);
        if verdict.failed() {
            if !is_count && self.report.dialect.has(Behaviour::FailedForEachIsUnknown) {
                out.push(unknown(is_count, at, &settled(&raw)));
            }
            return Instances::Wrong;
        }
        let value = settled(&raw);
        let is_unknown = if is_count { !value.is_known() } else { !has_known_keys(&value) };
        if is_unknown && value.deep_marks().is_inexact() {
            let needs = self.needs(argument.expr, NeedSite { site, repeated_by: None });
            return Instances::NotKnownHere(Unknown { argument: Arc::from(argument.name), at, needs });
        }
        if !is_count && value.marks().is_confidential() && !self.report.reveal_sensitive {
            let needs = [Need::Revealing].into();
            return Instances::NotKnownHere(Unknown { argument: Arc::from(argument.name), at, needs });
        }
        let Some(walked) = self.walked(site.path) else { return Instances::Wrong };
        let mut own = Diagnostics::new();
        if is_count {
            walked.count(argument, &value, &mut own);
        } else {
            walked.for_each(argument, &value, &mut own);
        }
        let failed = own.has_errors();
        out.append(own);
        if failed {
            return Instances::Wrong;
        }
        if is_unknown {
            out.push(unknown(is_count, at, &value));
            return Instances::Wrong;
        }
        let repetition = if is_count {
            Repetition::of_count(&value).ok()
        } else {
            Repetition::of_for_each(&value.unmarked(), &FOR_EACH).ok()
        };
        let Some(repetition) = repetition else { return Instances::Wrong };
        if !self.counts(repetition.count().unwrap_or(0)) {
            return Instances::TooMany;
        }
        if !is_count && self.has_long_key(&value, at, out) {
            return Instances::Wrong;
        }
        let kind = if is_count { Kind::Count } else { Kind::ForEach };
        let instances = repetition.instances().charged(8).filter_map(|instance| {
            account::grow(size_of::<Option<InstanceRepetition>>() as u64);
            repeated(&instance).map(Some)
        });
        Instances::Known(kind, instances.collect())
    }
}

impl<'a> Walk<'_, '_, 'a> {
    /// Evaluates `enabled`, which says whether there is an instance.
    fn enabled(&mut self, argument: &'a Argument<'a>, site: Site<'_>, out: &mut Diagnostics) -> Instances {
        if self.names_instance(argument, out) {
            return Instances::Wrong;
        }
        let mut own = Diagnostics::new();
        let (raw, verdict) = self.evaluate(argument.expr, site, &mut own);
        out.append(own);
        if verdict.failed() {
            return Instances::Wrong;
        }
        let at = self.report.forest.expr_span(argument.expr);
        let value = settled(&raw);
        if !value.is_known() && value.deep_marks().is_inexact() {
            let needs = self.needs(argument.expr, NeedSite { site, repeated_by: None });
            return Instances::NotKnownHere(Unknown { argument: Arc::from(argument.name), at, needs });
        }
        let marks = value.deep_marks();
        let converted = convert(&value.unmarked_deep(), &Type::Bool).ok();
        let why = match &converted {
            _ if marks.is_sensitive() => "it is sensitive, but a plan shows whether there is an instance",
            _ if marks.is_ephemeral() => "it is ephemeral, but whether there is an instance has to be stored",
            None => "it must be true or false",
            Some(value) if value.is_null() => "it must not be null",
            Some(value) if !value.is_known() => "it is known only when the plan is applied",
            Some(value) => {
                if !self.counts(1) {
                    return Instances::TooMany;
                }
                return if value.as_bool() == Some(true) {
                    Instances::Known(Kind::Single, vec![None])
                } else {
                    Instances::Known(Kind::Off, Vec::new())
                };
            }
        };
        let detail = format!("This value cannot be used as `enabled`: {why}.");
        out.push(Diagnostic::tool(&codes::ENABLED, at, detail).quoting(Quotes::Values(marks.secrecy())));
        Instances::Wrong
    }
}

impl Walk<'_, '_, '_> {
    /// Reports `count` and `each` in `enabled`, beside which there is neither. Returns whether there is any.
    fn names_instance(&self, argument: &Argument<'_>, out: &mut Diagnostics) -> bool {
        let mut found = false;
        for traversal in statics::references(self.report.forest, argument.expr).charged(2) {
            let read = reference(&traversal, AddressWords::for_dialect(self.report.dialect), &mut Diagnostics::new());
            let Some(read) = read else { continue };
            let (code, without) = match &read.subject {
                Subject::Count(name) if name == "index" => (&scope::codes::NO_COUNT, words::COUNT),
                Subject::Each(name) if name == "key" => (&scope::codes::NO_EACH, words::FOR_EACH),
                Subject::Each(name) if name == "value" => (&scope::codes::NO_EACH_VALUE, words::FOR_EACH),
                _ => continue,
            };
            let detail = format!("An object with `enabled` has no `{without}`, so this is not available.");
            out.push(Diagnostic::tool(code, read.span, detail));
            found = true;
        }
        found
    }

    /// Reports a key that is too long to be a part of addresses. Returns whether there is one.
    fn has_long_key(&mut self, for_each: &Value, at: Span, out: &mut Diagnostics) -> bool {
        let forest = self.report.forest;
        let secrecy = for_each.deep_marks().secrecy();
        let is_long = |key: &Value| key.as_text().is_some_and(|text| forest.is_too_long(text));
        let found = for_each.elements().charged(1).any(|(key, _)| is_long(&key));
        if found {
            let detail = format!(
                "A key in `for_each` is longer than {} bytes, the limit max-name-bytes of this service. No instance of the object is planned, nor is anything that depends on it.",
                forest.limits.name_bytes
            );
            out.push(Diagnostic::ours(&codes::KEY_TOO_LONG, at, detail).quoting(Quotes::Values(secrecy)));
            self.leaves_out = true;
        }
        found
    }
}

/// Returns what an instance gives to the expressions in it.
fn repeated(instance: &Instance) -> Option<InstanceRepetition> {
    match instance {
        Instance::Index(at) => {
            Some(InstanceRepetition { key: InstanceKey::Number(i64::try_from(*at).ok()?), each: None })
        }
        Instance::Element { key, value } => {
            let text = key.as_shared_text().map(Arc::clone)?;
            Some(InstanceRepetition { key: InstanceKey::Text(text), each: Some((key.clone(), value.clone())) })
        }
    }
}

/// Whether the keys of the instances are known.
fn has_known_keys(value: &Value) -> bool {
    match value.ty() {
        Type::Set(_) => value.is_wholly_known(),
        _ => value.is_known(),
    }
}

fn unknown(is_count: bool, at: Span, value: &Value) -> Diagnostic {
    let (code, detail) = if is_count {
        (
            &validate_codes::COUNT,
            "The value of `count` is known only when the plan is applied, but the number of instances must be known before.",
        )
    } else {
        (
            &validate_codes::FOR_EACH,
            "The keys in `for_each` are known only when the plan is applied, but the instances must be known before. Use keys that are known, and put what is unknown into the values.",
        )
    };
    Diagnostic::tool(code, at, detail).quoting(Quotes::Values(value.deep_marks().secrecy()))
}
