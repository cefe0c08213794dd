//! Meta-arguments: `count`, `for_each`, `depends_on`, and the settings of `lifecycle` (validate.md, section 6).

use std::borrow::Cow;

use super::codes;
use super::deprecated::ValueUse;
use super::names::{NameScope, Steps};
use super::nodes::{Dependency, is_error};
use super::walker::{ModuleNodes, Visit, meta_argument};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Quotes};
use overfold_dialect::{Behaviour, words};
use overfold_eval::codes::UNKNOWN_FUNCTION;
use overfold_load::instance::{CountFault, ForEachFault, ForEachRules, Repetition, TypeCheck};
use overfold_model::body::traversal;
use overfold_model::config::{Argument, Block, ObjectAddr, repeated_by};
use overfold_model::language::dependencies::{self, ActionDependency, AfterError};
use overfold_model::language::references::{self, AddressWords, Subject};
use overfold_model::schema::{self, BodySchema, PathRules};
use overfold_model::scope::{self, References};
use overfold_syntax::statics::{TraversalKey, TraversalStep};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Marks, Type, Value, convert};

/// What the tool accepts as a `for_each`, before it is known. The elements of a set are judged once they are known.
pub const FOR_EACH: ForEachRules = ForEachRules {
    order: &[
        &[ForEachFault::Sensitive, ForEachFault::Ephemeral],
        &[ForEachFault::Null],
        &[ForEachFault::NotIterable],
        &[ForEachFault::NullElement],
    ],
    sequences: false,
    types: TypeCheck::Always,
};

impl<'a> ModuleNodes<'a> {
    /// Checks `count` and `for_each` of a resource or a module call.
    pub(super) fn repetition(&mut self, block: &'a Block<'a>, visit: &mut Visit) {
        if let Some(count) = meta_argument(block, words::COUNT).filter(|count| !count.broken) {
            let mut own = Diagnostics::new();
            let place = NameScope { used: ValueUse::Whole, ..NameScope::default() };
            let value = self.evaluation.expression(count.expr, &place, &mut visit.dependencies, &mut own);
            if !own.iter().any(is_error) {
                self.count(count, &value, &mut own);
            }
            visit.out.append(own);
        }
        if let Some(for_each) = meta_argument(block, words::FOR_EACH).filter(|found| !found.broken) {
            let mut own = Diagnostics::new();
            let place = NameScope { used: ValueUse::Whole, ..NameScope::default() };
            let (value, open) = self.evaluation.looked_up(for_each.expr, &place, &mut visit.dependencies, &mut own);
            let waits = block.keyword != words::MODULE
                && self.module.report.dialect.has(Behaviour::UnknownForEachWaitsForPlan);
            if waits && open.is_some_and(|ty| may_repeat(&ty)) {
                // A plan says what is wrong, except for functions of providers, which are looked up before.
                let forest = self.module.report.forest;
                own.retain(|found| {
                    found.code == &UNKNOWN_FUNCTION
                        && found.span.is_some_and(|at| forest.sources.text(at).starts_with("provider::"))
                });
            } else if !own.iter().any(is_error) {
                let only_in_plans = value.ty().has_dynamic()
                    && self.module.report.dialect.has(Behaviour::EphemeralForEachOnlyInPlans);
                let hidden = if only_in_plans { Marks::EPHEMERAL } else { Marks::NONE };
                let marks = value.marks().without(hidden);
                self.for_each(for_each, &value.unmarked().with_marks(marks), &mut own);
            }
            visit.out.append(own);
        }
        self.enabled(block, visit);
    }

    /// Looks up `enabled`. What it says, and whether it may name what it does, is judged in a plan.
    fn enabled(&mut self, block: &'a Block<'a>, visit: &mut Visit) {
        let enabled = repeated_by(block, words::ENABLED).filter(|enabled| !enabled.broken);
        if let Some(enabled) = enabled {
            let mut own = Diagnostics::new();
            self.evaluation.expression(enabled.expr, &NameScope::default(), &mut visit.dependencies, &mut own);
            if block.keyword == words::MODULE {
                visit.out.append(own);
            }
        }
    }

    /// Reports a value that `count` cannot have.
    pub fn count(&self, argument: &Argument<'_>, value: &Value, out: &mut Diagnostics) {
        let at = self.evaluation.span(argument.expr);
        if let Err(problem) = convert(value, &Type::Number) {
            let detail = format!("The value of `count` is not a number: {problem}.");
            let quotes = Quotes::Values(value.deep_marks().secrecy());
            out.push(Diagnostic::tool(&codes::INCORRECT_TYPE, at, detail).quoting(quotes));
            return;
        }
        let refuses_ephemeral = self.module.report.dialect.has(Behaviour::CountIsNotEphemeral);
        let detail: Cow<'static, str> = if value.marks().is_ephemeral() && refuses_ephemeral {
            "The value of `count` is ephemeral, but the number of instances has to be stored.".into()
        } else {
            match Repetition::of_count(value) {
                Ok(_) => return,
                Err(CountFault::Null) => "The value of `count` is null, but it must be a whole number.".into(),
                Err(CountFault::Negative) => "The value of `count` is negative, but it must be zero or more.".into(),
                Err(CountFault::NotWhole) => "The value of `count` must be a whole number.".into(),
                Err(CountFault::NotANumber(problem)) => {
                    format!("The value of `count` is not a number: {problem}.").into()
                }
            }
        };
        out.push(Diagnostic::tool(&codes::COUNT, at, detail));
    }

    /// Reports a value that `for_each` cannot have.
    pub fn for_each(&self, argument: &Argument<'_>, value: &Value, out: &mut Diagnostics) {
        let at = self.evaluation.span(argument.expr);
        let element = value.ty().element();
        let has_own_title = !self.module.report.dialect.has(Behaviour::ForEachSetHasNoTitleOfItsOwn);
        let of_set = if has_own_title { &codes::FOR_EACH_SET } else { &codes::FOR_EACH };
        let mut report = |code: &'static Code, detail: &'static str| out.push(Diagnostic::tool(code, at, detail));
        match Repetition::of_for_each(value, &FOR_EACH) {
            Ok(_) => {
                let is_of_others = matches!(value.ty(), Type::Set(_))
                    && value.is_wholly_known()
                    && value.length() != Some(0)
                    && element.is_some_and(|element| !matches!(element, Type::String | Type::Dynamic));
                if is_of_others {
                    report(
                        of_set,
                        "The elements of the set are the keys of the instances, so they must be strings. Convert them with a for expression.",
                    );
                }
            }
            Err(faults) => {
                for fault in faults {
                    match fault {
                        ForEachFault::Sensitive => report(
                            &codes::FOR_EACH,
                            "The value of `for_each` is sensitive, but the keys of instances are shown in addresses.",
                        ),
                        ForEachFault::Ephemeral => report(
                            &codes::FOR_EACH,
                            "The value of `for_each` is ephemeral, but the keys of instances have to be stored.",
                        ),
                        ForEachFault::Null => {
                            report(
                                &codes::FOR_EACH,
                                "The value of `for_each` is null. Use an empty map or set for no instances.",
                            );
                        }
                        ForEachFault::NullElement => report(
                            of_set,
                            "The set contains null, but its elements are the keys of the instances, so they must be strings.",
                        ),
                        _ => report(
                            &codes::FOR_EACH,
                            "The value of `for_each` must be a map, an object, or a set of strings. A list or tuple can be converted with toset.",
                        ),
                    }
                }
            }
        }
    }

    /// Checks `depends_on`: each entry must name a whole object, and up to the first mistake one that exists.
    pub(super) fn depends_on(&mut self, block: &'a Block<'a>, visit: &mut Visit) {
        let Some(argument) = meta_argument(block, words::DEPENDS_ON).filter(|found| !found.broken) else { return };
        let report = self.module.report;
        let forest = report.forest;
        let words = AddressWords::for_dialect(report.dialect);
        let items = dependencies::depends_on(forest, argument.expr, ActionDependency::Taken, &mut Diagnostics::new());
        let mut failed = false;
        for item in items.charged(4) {
            let mut own = Diagnostics::new();
            let reference = references::reference(&item.traversal, words, &mut own);
            let malformed = own.has_errors();
            if let Some(reference) = &reference {
                let names = self.evaluation.names();
                visit.dependencies.extend(names.dependency(&reference.subject, &NameScope::default()));
                if !malformed && reference.remaining > 0 {
                    let rest = reference.rest(&item.traversal.steps);
                    if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
                        let at = first.span.range().to(last.span.range()).in_source(first.span.source);
                        let detail =
                            "Only a whole object can be depended on. Remove the attributes behind its address.";
                        own.push(Diagnostic::tool(&codes::DEPENDS_ON, at, detail));
                    }
                }
            }
            failed |= own.has_errors();
            if !failed && !matches!(reference.as_ref().map(|found| &found.subject), Some(Subject::This)) {
                let mut steps = Steps::default();
                let names = self.evaluation.names();
                let references = References::of_traversal(words, names.definitions, item.traversal);
                names.check(&references, &NameScope::default(), &mut steps);
                steps.finish(&mut own);
                failed |= own.iter().any(is_error);
            }
            visit.out.append(own);
        }
    }

    /// Returns what the entries of `depends_on` lead to.
    pub fn depends_on_targets(&self, block: &Block<'_>) -> Vec<Dependency> {
        let Some(argument) = meta_argument(block, words::DEPENDS_ON) else { return Vec::new() };
        let report = self.module.report;
        let words = AddressWords::for_dialect(report.dialect);
        let mut none = Diagnostics::new();
        let items = dependencies::depends_on(report.forest, argument.expr, ActionDependency::Taken, &mut none);
        let targets = items.into_iter().charged(4).filter_map(|item| {
            let reference = references::reference(&item.traversal, words, &mut Diagnostics::new())?;
            self.evaluation.names().dependency(&reference.subject, &NameScope::default())
        });
        targets.collect()
    }

    /// Adds what `replace_triggered_by` refers to as dependencies. Some versions check the names here.
    pub(super) fn triggers(&mut self, block: &'a Block<'a>, lifecycle: &'a Block<'a>, visit: &mut Visit) {
        let Some(argument) = meta_argument(lifecycle, words::REPLACE_TRIGGERED_BY) else { return };
        let report = self.module.report;
        let words = AddressWords::for_dialect(report.dialect);
        let (rest, mut none) = (AfterError::CheckedToo, Diagnostics::new());
        // In JSON, the items are strings with expressions.
        let items = dependencies::replace_triggered_by(report.forest, argument.expr, words, rest, &mut none);
        for item in items.charged(4) {
            let place = NameScope {
                count: meta_argument(block, words::COUNT).is_some(),
                each: meta_argument(block, words::FOR_EACH).is_some(),
                ..NameScope::default()
            };
            let mut steps = Steps::default();
            self.evaluation.look_up(item, &place, &[], &mut steps, &mut visit.dependencies);
            if !report.dialect.has(Behaviour::TriggersAreValidated) {
                continue;
            }
            if steps.is_evaluated() {
                self.trigger_path(item, &mut steps);
            }
            let mut own = Diagnostics::new();
            steps.finish(&mut own);
            let is_undeclared = |found: &Diagnostic| found.code == &scope::codes::UNDECLARED_RESOURCE;
            let found = own.into_vec().into_iter();
            let found =
                found.filter(|found| !is_undeclared(found) || report.dialect.has(Behaviour::TriggersAreDeclared));
            visit.out.extend(found.map(|found| {
                if !is_undeclared(&found) {
                    return found;
                }
                let detail = "The module does not declare this resource, so no change of it can replace anything.";
                Diagnostic::tool(&codes::TRIGGER_UNDECLARED, report.forest.expr_span(item), detail)
            }));
        }
    }
}

impl ModuleNodes<'_> {
    /// Checks the attribute behind a key of an item of `replace_triggered_by` that is `count.index` or `each.key`.
    fn trigger_path(&self, item: ExprAt, steps: &mut Steps) {
        let report = self.module.report;
        let mut is_computed = false;
        // Which instance it is does not matter.
        let mut key = |expr: ExprAt| {
            is_computed = true;
            let is_index = report.forest.sources.text(report.forest.expr_span(expr)).starts_with(words::COUNT);
            Some(if is_index { TraversalKey::IndexNumber("0".into()) } else { TraversalKey::IndexText("".into()) })
        };
        let Some(found) = traversal::with_keys(report.forest, item, &mut key).filter(|_| is_computed) else { return };
        let words = AddressWords::for_dialect(report.dialect);
        let Some(read) = references::reference(&found, words, &mut Diagnostics::new()) else { return };
        if let Subject::Resource { mode, type_name, name, .. } = &read.subject {
            let address = ObjectAddr::Resource { mode: *mode, type_name, name };
            self.evaluation.names().path(address, read.rest(&found.steps), &mut steps.statics);
        }
    }
}

/// Whether an unknown value of a type is no mistake as a `for_each` as long as it is unknown, whatever elements a set has.
const fn may_repeat(ty: &Type) -> bool {
    matches!(ty, Type::Dynamic | Type::Map(_) | Type::Object(_) | Type::Set(_))
}

/// Checks the names in `ignore_changes` against the schema. The tool does so only after a body without errors, and
/// warns about a computed attribute only as long as there is no error before. The rules are those of
/// [`check_path`](schema::check_path).
pub(super) fn ignored_changes(
    forest: &Forest,
    lifecycle: &Block<'_>,
    resource: &Block<'_>,
    schema: &BodySchema,
    (body_failed, rules): (bool, PathRules),
    out: &mut Diagnostics,
) {
    let Some(argument) = meta_argument(lifecycle, words::IGNORE_CHANGES).filter(|found| !found.broken) else {
        return;
    };
    let ignored = dependencies::ignore_changes(forest, argument.expr, &mut Diagnostics::new());
    let mut failed = body_failed || out.iter().any(is_error);
    for traversal in ignored.attributes.iter().charged(4) {
        let mut own = Diagnostics::new();
        let first = TraversalStep { key: TraversalKey::Attr(traversal.root.clone()), span: traversal.root_span };
        let steps: Vec<TraversalStep<'_>> = std::iter::once(first).chain(traversal.steps.iter().cloned()).collect();
        schema::check_path(schema, &steps, rules, &mut own);
        let is_computed =
            schema::attribute_at(schema, &steps).is_some_and(|attribute| attribute.computed && !attribute.optional);
        failed |= own.has_errors();
        if !failed && is_computed {
            let at = resource.labels.first().map_or(resource.header, |label| label.span);
            let detail = format!(
                "The provider alone decides about {:?}, so changes to it are never made because of the configuration. Remove it from `ignore_changes`.",
                forest.sources.text(traversal.span)
            );
            own.push(Diagnostic::tool(&codes::REDUNDANT_IGNORE, at, detail));
        }
        out.append(super::names::later_unless(!body_failed, own));
    }
}
