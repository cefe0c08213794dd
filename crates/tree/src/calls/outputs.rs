//! Checks references to outputs of called modules (verified with Terraform 1.11.4): an expression is evaluated with
//! everything else unknown, so that an error that `try` catches, or that depends on an unknown condition, is not
//! reported here either.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId, Span};
use overfold_base::files::FileSet;
use overfold_dialect::{AttrKind, ObjectKind, words};
use overfold_eval::{self as eval, FileAccess, Roots};
use overfold_load::loading::Report;
use overfold_model::config::{Argument, Block, DecodedArgument};
use overfold_model::language::references::{AddressWords, Subject};
use overfold_model::scope::{Definitions, Language, References};
use overfold_syntax::ExprAt;
use overfold_value::{AttributeType, Type, Value};

use super::call::Call;
use super::summary::Summary;

/// Returns every expression of the module that refers to a module call, with its references.
pub(crate) fn expressions<'f>(report: &Report<'f>) -> Vec<(ExprAt, References<'f>)> {
    let (definitions, words) = (Definitions::default(), AddressWords::for_dialect(report.dialect));
    let mut found = Vec::new();
    let module = &report.module;
    let mut todo: Vec<(ObjectKind, &Block<'_>)> =
        module.elements.iter().rev().map(|element| (element.kind, element.block)).collect();
    while let Some((kind, block)) = todo.pop() {
        account::work(1 + block.arguments.len() as u64);
        for argument in block.arguments.iter().filter(|argument| is_evaluated(kind, argument)) {
            let references = References::new(report.forest, words, &definitions, argument.expr, |_| false);
            if references.list.iter().any(|reference| matches!(reference.subject, Some(Subject::Module { .. }))) {
                found.push((argument.expr, references));
            }
        }
        todo.extend(block.blocks.iter().rev().map(|inner| (kind, inner)));
    }
    found
}

/// Whether an argument in an object of this kind is an expression that the tool evaluates before it plans, rather than
/// an address or a list of references or names. The assertions of checks are evaluated later (verified).
fn is_evaluated(kind: ObjectKind, argument: &Argument<'_>) -> bool {
    let is_passed_over = argument.spec.is_some_and(|row| match row.kind {
        AttrKind::Condition => kind == ObjectKind::Check,
        AttrKind::Address(_) | AttrKind::Forgotten | AttrKind::OverrideTarget { .. } => true,
        _ => false,
    });
    !argument.broken && argument.decoded == DecodedArgument::Expr && !is_passed_over
}

/// Reports references to outputs that the called module does not have. `called` returns the module that a call leads
/// to; `faulty` holds the calls at which the tool stops.
pub(crate) fn check<'s>(
    report: &Report<'_>,
    files: &FileSet,
    calls: &[Call<'_>],
    called: impl Fn(&Call<'_>) -> Option<&'s Summary>,
    faulty: &BTreeSet<&str>,
    out: &mut Vec<Diagnostic>,
) {
    let known: BTreeMap<&str, Value> =
        calls.iter().filter_map(|call| Some((call.name, value(call, called(call)?)))).collect();
    let access = FileAccess::new(files, &report.root);
    let language = Language::new(report.dialect, report.forest, access);
    for (expr, references) in expressions(report) {
        let mut roots = Roots::new();
        let mut modules: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for reference in &references.list {
            if let Some(Subject::Module { name, .. }) = &reference.subject {
                let value = known.get(&**name).cloned().unwrap_or_else(Value::dynamic);
                modules.insert(Arc::from(&**name), value);
            } else {
                roots.insert(Arc::from(&*reference.root), Value::dynamic());
            }
        }
        roots.insert(Arc::from(words::MODULE), Value::object(modules.into_iter().collect()));
        let mut found = Diagnostics::new();
        language.evaluate(expr, &roots, &mut found);
        let to_modules = CoveredRanges::by(&references);
        let is_ours = |finding: &Diagnostic| {
            finding.code == &eval::codes::UNSUPPORTED_ATTRIBUTE && finding.span.is_some_and(|at| to_modules.has(at))
        };
        let is_reached = !modules_of(&references).any(|name| faulty.contains(name));
        let origin = |finding: &Diagnostic| if is_reached { finding.origin } else { finding.origin.later() };
        let found = found.into_vec().into_iter().filter(is_ours);
        out.extend(found.map(|finding| Diagnostic { origin: origin(&finding), ..finding }));
    }
}

/// What the references of an expression to called modules cover.
struct CoveredRanges {
    /// Where each begins, in order, with the last end of those that begin there or before in the same source.
    starts: Vec<(SourceId, u32, u32)>,
}

impl CoveredRanges {
    fn by(references: &References<'_>) -> Self {
        let list = references.list.iter().charged_at_once(2);
        let to_modules = list.filter(|reference| matches!(reference.subject, Some(Subject::Module { .. })));
        let mut starts: Vec<_> = to_modules
            .map(|reference| (reference.whole.source, reference.whole.start, reference.whole.end))
            .collect();
        starts.sort_unstable();
        let mut last: Option<(SourceId, u32)> = None;
        for (source, _, end) in &mut starts {
            *end = last.filter(|(before, _)| before == source).map_or(*end, |(_, before)| before.max(*end));
            last = Some((*source, *end));
        }
        Self { starts }
    }

    /// Whether one of the references covers the beginning of a place.
    fn has(&self, at: Span) -> bool {
        account::work(4);
        let next = self.starts.partition_point(|&(source, start, _)| (source, start) <= (at.source, at.start));
        let before = next.checked_sub(1).and_then(|last| self.starts.get(last));
        before.is_some_and(|&(source, _, end)| source == at.source && at.start <= end)
    }
}

/// The names of the calls that references mention.
fn modules_of<'r>(references: &'r References<'_>) -> impl Iterator<Item = &'r str> {
    references.list.iter().filter_map(|reference| match &reference.subject {
        Some(Subject::Module { name, .. }) => Some(&**name),
        _ => None,
    })
}

/// The value of a call while nothing is known: an object of the outputs, or for a repeated call a list or map of such
/// objects.
fn value(call: &Call<'_>, called: &Summary) -> Value {
    let attributes = called.outputs.iter().map(|name| AttributeType::new(&**name, Type::Dynamic)).collect();
    let object = Type::object(attributes);
    let has = |name: &str| call.block.argument(name).is_some();
    Value::unknown(if has(words::COUNT) {
        Type::list(object)
    } else if has(words::FOR_EACH) {
        Type::map(object)
    } else {
        object
    })
}
