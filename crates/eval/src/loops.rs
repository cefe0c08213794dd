//! `for` expressions and splats (expressions.md, section 3).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Evaluator, Variation, codes, error, within_limits};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostics, Reporting, Span, TextRange};
use overfold_syntax::tree::{Expr, For, Id, Tree};
use overfold_value::{Marks, Type, Value, convert};

/// The spans of parts of a `for` expression.
struct Places {
    whole: Span,
}

impl Evaluator<'_, '_> {
    pub(super) fn for_expr(&mut self, tree: &Tree, whole: TextRange, parts: &For, out: &mut Diagnostics) -> Value {
        let places = Places { whole: tree.span(whole) };
        let collection = self.child(tree, parts.collection, out);
        let place = tree.span(tree.expr(parts.collection).range);
        let mut marks = collection.marks().of_result();
        let ty = collection.ty();
        let is_iterable = ty.is_collection() || matches!(ty, Type::Tuple(_) | Type::Object(_));
        if marks.is_inexact() && (collection.is_null() || !is_iterable) {
            return Value::dynamic().with_marks(marks.doubt());
        }
        if collection.is_null() {
            let detail = "This value is null, so a for expression cannot iterate over it.";
            out.push(error(&codes::ITERATION_OVER_NULL, place, detail).within(places.whole));
            return Value::dynamic();
        }
        if ty.is_dynamic() {
            return Value::dynamic();
        }
        if !is_iterable {
            let detail = format!("A for expression cannot iterate over {}.", convert::with_article(ty));
            out.push(error(&codes::ITERATION_OVER_SCALAR, place, detail).within(places.whole));
            return Value::dynamic();
        }
        if !collection.is_known() && self.variations.has(Variation::UnknownsLoseMarks) {
            return self.of_unknown(Value::dynamic().with_marks(marks));
        }
        let names = Names {
            key: parts.key_var.map(|range| Arc::from(tree.slice(range))),
            value: Arc::from(tree.slice(parts.value_var)),
        };
        if let Some(cond) = parts.cond {
            match self.check_condition(tree, cond, &names, &places, out) {
                Some(found) if !collection.is_known() => marks = marks.and(found),
                Some(_) => {}
                None => return Value::dynamic(),
            }
        }
        if !collection.is_known() {
            return Value::dynamic().with_marks(marks);
        }
        let mut unheard = Diagnostics::new();
        // Nobody knows whether there is an element that could have an error.
        let out = if marks.is_inexact() { &mut unheard } else { out };
        match parts.key {
            Some(key) => self.for_object(tree, parts, key, (&collection, &names), &places, marks, out),
            None => self.for_tuple(tree, parts, (&collection, &names), &places, marks, out),
        }
    }

    /// Checks the `if` clause before any element is visited, to report errors that do not depend on the elements.
    /// Returns its marks, or `None` if it failed.
    fn check_condition(
        &mut self,
        tree: &Tree,
        cond: Id<Expr>,
        names: &Names,
        places: &Places,
        out: &mut Diagnostics,
    ) -> Option<Marks> {
        let (result, verdict) = out.watch(|out| {
            self.with_locals(names, Value::dynamic(), Value::dynamic(), |eval| eval.child(tree, cond, out))
        });
        let place = tree.span(tree.expr(cond).range);
        let is_wrong = result.is_null() || convert(&result, &Type::Bool).is_err();
        if is_wrong && result.marks().is_inexact() {
            return Some(result.marks().of_result());
        }
        if result.is_null() {
            let detail = "The if clause of the for expression must be true or false, but this one is null.";
            out.push(error(&codes::FOR_CONDITION_NULL, place, detail).within(places.whole));
            return None;
        }
        if let Err(problem) = convert(&result, &Type::Bool) {
            let detail = format!("The if clause of the for expression is not valid: {problem}.");
            out.push(error(&codes::INVALID_FOR_CONDITION, place, detail).within(places.whole));
            return None;
        }
        verdict.is_clean().then(|| result.marks().of_result())
    }

    fn with_locals<R>(&mut self, names: &Names, key: Value, value: Value, work: impl FnOnce(&mut Self) -> R) -> R {
        let depth = self.locals.len();
        if let Some(name) = &names.key {
            self.locals.push((Arc::clone(name), key));
        }
        self.locals.push((Arc::clone(&names.value), value));
        let result = work(self);
        self.locals.truncate(depth);
        result
    }

    /// Returns whether the element is included, or `None` if that cannot be decided; `known` is then false. An error in
    /// the clause is reported only as long as everything before was known.
    fn included(
        &mut self,
        tree: &Tree,
        cond: Id<Expr>,
        places: &Places,
        state: &mut State,
        out: &mut Diagnostics,
    ) -> Option<bool> {
        let result = self.child(tree, cond, out);
        let place = tree.span(tree.expr(cond).range);
        if result.marks().is_inexact() && (result.is_null() || convert(&result, &Type::Bool).is_err()) {
            state.known = false;
            state.marks = state.marks.and(Marks::INEXACT);
            return None;
        }
        let mut invalid = |state: &mut State, detail: String| {
            if state.known {
                out.push(error(&codes::INVALID_FOR_CONDITION, place, detail).within(places.whole));
            }
            state.known = false;
            None
        };
        if result.is_null() {
            return invalid(
                state,
                "The if clause of the for expression must be true or false, but it is null for an element."
                    .to_owned(),
            );
        }
        state.marks = state.marks.and(result.marks().of_result());
        state.is_unclear = result.marks().is_inexact();
        if !result.is_known() {
            state.known = false;
            return None;
        }
        match convert(&result, &Type::Bool) {
            Ok(include) if include.is_known() => Some(include.as_bool().unwrap_or(false)),
            Ok(_) => {
                state.known = false;
                None
            }
            Err(problem) => invalid(state, format!("The if clause of the for expression is not valid: {problem}.")),
        }
    }

    fn for_tuple(
        &mut self,
        tree: &Tree,
        parts: &For,
        (collection, names): (&Value, &Names),
        places: &Places,
        marks: Marks,
        out: &mut Diagnostics,
    ) -> Value {
        let mut state = State { known: true, marks, is_unclear: false };
        let mut values = Vec::new();
        for (key, value) in collection.elements().charged(4) {
            state.is_unclear = false;
            self.with_locals(names, key, value, |eval| {
                if let Some(cond) = parts.cond
                    && eval.included(tree, cond, places, &mut state, out) != Some(true)
                {
                    return;
                }
                values.push(eval.child(tree, parts.value, state.heard(&mut Diagnostics::new(), out)));
            });
        }
        if !state.known {
            return self.of_unknown(Value::dynamic().with_marks(state.marks));
        }
        within_limits(Value::tuple(values)).with_marks(state.marks)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one expression")]
    fn for_object(
        &mut self,
        tree: &Tree,
        parts: &For,
        key_expr: Id<Expr>,
        (collection, names): (&Value, &Names),
        places: &Places,
        marks: Marks,
        out: &mut Diagnostics,
    ) -> Value {
        let mut state = State { known: true, marks, is_unclear: false };
        let mut groups: BTreeMap<Arc<str>, Group> = BTreeMap::new();
        for (key, value) in collection.elements().charged(4) {
            state.is_unclear = false;
            self.with_locals(names, key, value, |eval| {
                if let Some(cond) = parts.cond
                    && eval.included(tree, cond, places, &mut state, out) != Some(true)
                {
                    return;
                }
                let mut unheard = Diagnostics::new();
                let heard = state.heard(&mut unheard, out);
                let Some(key) = eval.for_key(tree, key_expr, places, &mut state, heard) else { return };
                let out = state.heard(&mut unheard, out);
                let value = eval.child(tree, parts.value, out);
                let group = groups.entry(Arc::clone(&key)).or_default();
                let is_unclear = std::mem::replace(&mut group.is_unclear, state.is_unclear) || state.is_unclear;
                if group.values.is_empty() || parts.group {
                    group.values.push(value);
                } else if !is_unclear {
                    let detail = if state.marks.is_sensitive() {
                        "Two elements have the same key. Make the keys unique, or add ... after the value to group the values of each key.".to_owned()
                    } else {
                        format!(
                            "Two elements have the key \"{key}\". Make the keys unique, or add ... after the value to group the values of each key."
                        )
                    };
                    let place = tree.span(tree.expr(key_expr).range);
                    out.push(error(&codes::DUPLICATE_FOR_KEY, place, detail).within(places.whole));
                }
            });
        }
        if !state.known {
            return self.of_unknown(Value::dynamic().with_marks(state.marks));
        }
        let entries = groups
            .into_iter()
            .filter_map(|(key, Group { mut values, .. })| {
                let value = if parts.group { within_limits(Value::tuple(values)) } else { values.pop()? };
                Some((key, value))
            })
            .collect();
        within_limits(Value::object(entries)).with_marks(state.marks)
    }

    fn for_key(
        &mut self,
        tree: &Tree,
        key_expr: Id<Expr>,
        places: &Places,
        state: &mut State,
        out: &mut Diagnostics,
    ) -> Option<Arc<str>> {
        let raw = self.child(tree, key_expr, out);
        let place = tree.span(tree.expr(key_expr).range);
        let is_wrong = raw.is_null() || convert(&raw, &Type::String).is_err();
        state.is_unclear |= raw.marks().is_inexact();
        if is_wrong && raw.marks().is_inexact() {
            state.known = false;
            state.marks = state.marks.and(Marks::INEXACT);
            return None;
        }
        let mut invalid = |state: &mut State, detail: String| {
            if state.known {
                out.push(error(&codes::INVALID_FOR_KEY, place, detail).within(places.whole));
            }
            state.known = false;
            None
        };
        if raw.is_null() {
            return invalid(
                state,
                "The key of the for expression must be a string, but it is null for an element.".to_owned(),
            );
        }
        state.marks = state.marks.and(raw.marks().of_result());
        if !raw.is_known() {
            state.known = false;
            return None;
        }
        match convert(&raw, &Type::String) {
            Ok(key) => key.as_shared_text().cloned(),
            Err(problem) => invalid(state, format!("The key of the for expression is not valid: {problem}.")),
        }
    }

    pub(super) fn splat(
        &mut self,
        tree: &Tree,
        whole: TextRange,
        (source, each, item): (Id<Expr>, Id<Expr>, Id<Expr>),
        marker: TextRange,
        out: &mut Diagnostics,
    ) -> Value {
        let (base, verdict) = out.watch(|out| self.child(tree, source, out));
        if verdict.failed() {
            return Value::dynamic();
        }
        // The only block of its type is one element, however blocks of that type are nested.
        let marks = if base.marks().is_open() { base.marks().without_doubt() } else { base.marks().of_result() };
        // Anything that is not a sequence is treated as one element, and null as none.
        let sequence = matches!(base.ty(), Type::Tuple(_) | Type::List(_) | Type::Set(_));
        if base.is_null() && marks.is_inexact() {
            return Value::dynamic().with_marks(marks.doubt());
        }
        if base.is_null() {
            if !sequence {
                return self.of_unknown(Value::tuple(Vec::new()).with_marks(marks));
            }
            let range = tree.expr(source).range;
            let detail = "This list, set or tuple is null, so a splat cannot be applied to it.";
            out.push(error(&codes::SPLAT_OF_NULL, tree.span(range), detail).within(tree.span(range.to(marker))));
            return Value::dynamic();
        }
        if base.ty().is_dynamic() {
            return self.of_unknown(Value::dynamic().with_marks(marks));
        }
        let may_vanish =
            !sequence && !base.is_definitely_not_null() && !self.variations.has(Variation::UnknownSplatsHaveLength);
        let had_marks = marks;
        // Of what is no sequence, only the element keeps the marks.
        let marks = if sequence { marks } else { self.of_single(marks) };
        let base = if sequence { base.unmarked() } else { Value::tuple(vec![base]) };
        let node = (tree.source, item);
        let mut unheard = Diagnostics::new();
        // Nobody knows whether there is an element that could have an error.
        let out = if marks.is_inexact() { &mut unheard } else { out };
        let at = |eval: &mut Self, value: Value, out: &mut Diagnostics| {
            eval.items.push((node, value));
            let result = eval.child(tree, each, out);
            eval.items.pop();
            result
        };
        if !base.is_known() {
            let ty = match base.ty() {
                Type::Tuple(_) => {
                    let elements = base.ty().tuple_elements();
                    Type::tuple(
                        elements.iter().map(|ty| at(self, Value::unknown(ty.clone()), out).ty().clone()).collect(),
                    )
                }
                ty => {
                    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
                    Type::list(at(self, Value::unknown(element), out).ty().clone())
                }
            };
            let made = Value::unknown_not_null(ty).refined_lengths(base.length_range()).with_marks(marks);
            return if self.variations.has(Variation::UnknownConditionsLoseMarks) {
                self.of_unknown(made)
            } else {
                made
            };
        }
        let mut failed = false;
        let mut values = Vec::with_capacity(base.length().unwrap_or(0));
        for value in base.items() {
            let (value, verdict) = out.watch(|out| at(self, value.clone(), out));
            values.push(value);
            failed |= verdict.failed();
        }
        if may_vanish {
            return self.of_unknown(Value::dynamic().with_marks(had_marks));
        }
        if matches!(base.ty(), Type::Tuple(_)) {
            if failed {
                let types = values.iter().map(|value| value.ty().clone()).collect();
                return Value::unknown(Type::tuple(types)).with_marks(marks);
            }
            return within_limits(Value::tuple(values)).with_marks(marks);
        }
        let element = || base.ty().element().cloned().unwrap_or(Type::Dynamic);
        if failed || values.is_empty() {
            let mut quiet = Diagnostics::new();
            let sink = if failed { &mut quiet } else { out };
            let ty = at(self, Value::unknown(element()), sink).ty().clone();
            let list = if failed { Value::unknown(Type::list(ty)) } else { Value::list(ty, Vec::new()) };
            return self.of_unknown(list.with_marks(marks));
        }
        let mut types = values.iter().map(Value::ty).filter(|ty| !ty.is_dynamic());
        let first = types.next();
        let is_mixed = types.any(|ty| Some(ty) != first);
        if is_mixed && values.iter().any(|value| value.deep_marks().is_inexact()) {
            return Value::dynamic().with_marks(marks.and(Marks::INEXACT));
        }
        if is_mixed {
            let place = tree.span(tree.expr(each).range);
            let detail = "The elements of the result have different types, so they cannot form a list. Use a for \
                          expression, which produces a tuple.";
            out.push(error(&codes::MIXED_SPLAT, place, detail).within(tree.span(whole)));
            return Value::dynamic();
        }
        within_limits(Value::list_of(values)).with_marks(marks)
    }
}

impl Evaluator<'_, '_> {
    /// Returns the marks of a splat over something with these marks that is no sequence.
    fn of_single(&self, marks: Marks) -> Marks {
        if self.variations.has(Variation::UnknownsLoseMarks) { marks.of_unknown_logic() } else { marks }
    }
}

/// The names that a `for` expression binds.
struct Names {
    key: Option<Arc<str>>,
    value: Arc<str>,
}

/// The state of a `for` expression during evaluation.
struct State {
    /// Whether the result is still known.
    known: bool,
    marks: Marks,
    /// Whether nobody knows if the element is included, or what its key is.
    is_unclear: bool,
}

impl State {
    /// Returns where errors of the current element go: to `out`, if it is certain to be included.
    fn heard<'o>(&self, unheard: &'o mut Diagnostics, out: &'o mut Diagnostics) -> &'o mut Diagnostics {
        if self.is_unclear { unheard } else { out }
    }
}

/// The values of one key of a `for` expression.
#[derive(Default)]
struct Group {
    values: Vec<Value>,
    /// Whether one of them may have another key.
    is_unclear: bool,
}
