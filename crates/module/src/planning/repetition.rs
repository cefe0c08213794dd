//! `count` and `for_each` of resources and module calls (plan.md, section 6).

use std::sync::Arc;

use super::codes;
use super::scope::{Site, settled};
use super::state::{Kind, Repeated};
use super::walk::Walk;
use crate::instance::{Instance, Repetition};
use crate::validate::codes as validate_codes;
use crate::validate::meta::FOR_EACH;
use crate::validate::walker::meta_argument;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_dialect::words;
use overfold_model::config::Block;
use overfold_model::language::references::InstanceKey;
use overfold_value::{Type, Value};

/// The instances of an object.
#[derive(Debug)]
pub(super) enum Instances {
    /// Those with these keys, in order.
    Known(Kind, Vec<Option<Repeated>>),
    /// They are not known because something was not given. That has been reported.
    NotKnownHere,
    /// The value is wrong, or known only when the plan is applied. That has been reported.
    Wrong,
}

impl<'a> Walk<'_, '_, 'a> {
    /// Evaluates `count` or `for_each` of a block.
    pub(super) fn repetition(&mut self, block: &'a Block<'a>, site: Site<'_>, out: &mut Diagnostics) -> Instances {
        let count = meta_argument(block, words::COUNT);
        let for_each = meta_argument(block, words::FOR_EACH);
        let (argument, is_count) = match (count, for_each) {
            (Some(count), _) => (count, true),
            (None, Some(for_each)) => (for_each, false),
            (None, None) if !self.counts(1) => return Instances::Wrong,
            (None, None) => return Instances::Known(Kind::Single, vec![None]),
        };
        let mut own = Diagnostics::new();
        let (raw, verdict) = self.evaluate(argument.expr, site, &mut own);
        out.append(own);
        if verdict.failed() {
            return Instances::Wrong;
        }
        let at = self.report.forest.expr_span(argument.expr);
        let value = settled(&raw);
        let is_unknown = if is_count { !value.is_known() } else { !has_known_keys(&value) };
        if is_unknown && value.deep_marks().is_inexact() {
            let detail = format!(
                "The value of `{}` depends on something that was not given, so the instances are not known here. The tool may know them.",
                argument.name
            );
            out.push(Diagnostic::ours(&codes::NOT_KNOWN_HERE, at, detail));
            return Instances::NotKnownHere;
        }
        if !is_count && value.marks().is_confidential() && !self.report.reveal_sensitive {
            let detail = "The keys in `for_each` are made of an output that is sensitive in its own state. They would be part of addresses, so the instances are not shown unless sensitive values are revealed.";
            out.push(Diagnostic::ours(&codes::NOT_KNOWN_HERE, at, detail));
            return Instances::NotKnownHere;
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
            return Instances::Wrong;
        }
        let kind = if is_count { Kind::Count } else { Kind::ForEach };
        let instances = repetition.instances().filter_map(|instance| {
            account::work(8);
            account::grow(size_of::<Option<Repeated>>() as u64);
            repeated(&instance).map(Some)
        });
        Instances::Known(kind, instances.collect())
    }
}

/// Returns what an instance gives to the expressions in it.
fn repeated(instance: &Instance) -> Option<Repeated> {
    match instance {
        Instance::Index(at) => Some(Repeated { key: InstanceKey::Number(i64::try_from(*at).ok()?), each: None }),
        Instance::Element { key, value } => {
            let text = key.as_shared_text().map(Arc::clone)?;
            Some(Repeated { key: InstanceKey::Text(text), each: Some((key.clone(), value.clone())) })
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
