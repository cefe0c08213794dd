//! What is known about a value before the value itself is known: refinements (plan.md, section 3). They let equality,
//! comparisons and some functions decide early, and a value whose refinements leave only one possibility is known.

use std::sync::Arc;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::{COUNT_PRECISION, Number, Type};
use super::{Kind, Value, normalized};
use overfold_base::account;

/// The limits of an unknown value, as its type allows. They hold unless the value turns out to be null.
#[derive(Clone, PartialEq, Debug)]
pub enum Limits {
    /// The beginning of a string; not empty.
    Prefix(Arc<str>),
    /// The interval that contains a number.
    Numbers(NumberRange),
    /// The possible lengths of a list, set or map.
    Lengths(LengthRange),
}

/// One end of an interval of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// The end.
    pub number: Number,
    /// Whether the end belongs to the interval.
    pub inclusive: bool,
}

impl Bound {
    /// Returns the end that belongs to its interval.
    pub const fn inclusive(number: Number) -> Self {
        Self { number, inclusive: true }
    }
}

/// An interval of numbers. A missing end is unlimited.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct NumberRange {
    /// The lower end.
    pub min: Option<Bound>,
    /// The upper end.
    pub max: Option<Bound>,
}

impl NumberRange {
    /// Returns the interval that contains one number only.
    pub fn only(number: &Number) -> Self {
        let end = || Some(Bound::inclusive(number.clone()));
        Self { min: end(), max: end() }
    }

    /// Returns the smallest interval that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { min: outermost(self.min, other.min, Number::lt), max: outermost(self.max, other.max, Number::gt) }
    }

    /// Returns whether every number of this interval is below every number of the other one. Ends count as if they
    /// belonged to their intervals, as in the tool.
    pub fn is_below(&self, other: &Self) -> bool {
        matches!((&self.max, &other.min), (Some(max), Some(min)) if max.number < min.number)
    }

    fn contains(&self, number: &Number) -> bool {
        let above = |end: &Bound| *number > end.number || end.inclusive && *number == end.number;
        let below = |end: &Bound| *number < end.number || end.inclusive && *number == end.number;
        self.min.as_ref().is_none_or(above) && self.max.as_ref().is_none_or(below)
    }

    /// Returns the numbers that are in both intervals; of an end that would leave none, the earlier one stays.
    fn within(self, other: Self) -> Self {
        let (has_min, has_max) = (self.min.clone(), self.max.clone());
        let min = match (has_min, other.min) {
            (Some(have), Some(new)) if have.number > new.number => Some(have),
            (have, new) => new.or(have),
        };
        let max = match (has_max, other.max) {
            (Some(have), Some(new)) if have.number < new.number => Some(have),
            (have, new) => new.or(have),
        };
        let both = Self { min, max };
        if matches!((&both.min, &both.max), (Some(min), Some(max)) if min.number > max.number) { self } else { both }
    }

    /// Returns the only number of the interval.
    fn single(&self) -> Option<&Number> {
        match (&self.min, &self.max) {
            (Some(min), Some(max)) if min.inclusive && max.inclusive && min.number == max.number => Some(&min.number),
            _ => None,
        }
    }
}

/// Returns the end that lies further out; none if one is unlimited.
fn outermost(a: Option<Bound>, b: Option<Bound>, further: fn(&Number, &Number) -> bool) -> Option<Bound> {
    let (a, b) = (a?, b?);
    if a.number == b.number {
        let inclusive = a.inclusive || b.inclusive;
        return Some(Bound { inclusive, ..b });
    }
    Some(if further(&a.number, &b.number) { a } else { b })
}

/// The possible numbers of elements of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthRange {
    /// The least number.
    pub min: usize,
    /// The greatest number.
    pub max: usize,
}

impl LengthRange {
    /// The greatest length that the tool counts with.
    pub const MAX: usize = i64::MAX as usize;
    /// Any length.
    pub const ANY: Self = Self { min: 0, max: Self::MAX };

    /// Returns the range of one length.
    pub const fn only(length: usize) -> Self {
        Self { min: length, max: length }
    }

    /// Returns the smallest range that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the possible lengths after some elements have turned out to be equal and were merged.
    #[must_use]
    pub fn merged(self) -> Self {
        Self { min: self.min.min(1), max: self.max }
    }

    /// Returns the lengths as numbers.
    pub fn numbers(self) -> NumberRange {
        let end = |length| Some(Bound::inclusive(Number::from_usize(length).with_precision(COUNT_PRECISION)));
        NumberRange { min: end(self.min), max: end(self.max) }
    }

    /// Returns the lengths that are in both ranges; without any, these.
    fn within(self, other: Self) -> Self {
        let both = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        if both.min > both.max { self } else { both }
    }
}

/// Refining unknown values. Known values stay as they are, and so do unknown values of unknown type, about which
/// nothing is ever known (plan.md, section 3).
impl Value {
    /// Marks an unknown value as not null.
    #[must_use]
    pub fn refined_not_null(mut self) -> Self {
        if let Kind::Unknown { ty, limits } = &self.kind
            && !ty.is_dynamic()
            && !self.not_null
        {
            let limited = limits.is_some();
            self.not_null = true;
            if limited {
                return self.settled();
            }
        }
        self
    }

    /// Returns an unknown value of which nothing is known but its type.
    #[must_use]
    pub fn unrefined(mut self) -> Self {
        if let Kind::Unknown { limits, .. } = &mut self.kind {
            *limits = None;
            self.not_null = false;
        }
        self
    }

    /// Records that an unknown string begins with `prefix`, whatever follows it. The end of `prefix` is left out where
    /// a following character could become one with it.
    #[must_use]
    pub fn refined_prefix(self, prefix: &str) -> Self {
        let prefix = normalized(prefix);
        let safe = safe_prefix(&prefix);
        self.refined_exact_prefix(safe)
    }

    /// Records that an unknown string begins with `prefix`, which is normalised and followed by something that cannot
    /// become one with it.
    #[must_use]
    pub fn refined_exact_prefix(mut self, prefix: &str) -> Self {
        let longer = prefix.len() > self.known_prefix().len();
        if let Kind::Unknown { ty: Type::String, limits } = &mut self.kind
            && longer
        {
            account::grow(prefix.len() as u64);
            *limits = Some(Arc::new(Limits::Prefix(Arc::from(prefix))));
        }
        self
    }

    /// Records the interval that contains an unknown number.
    #[must_use]
    pub fn refined_numbers(mut self, range: NumberRange) -> Self {
        let range = self.number_range().within(range);
        if let Kind::Unknown { ty: Type::Number, limits } = &mut self.kind
            && range != NumberRange::default()
        {
            *limits = Some(Arc::new(Limits::Numbers(range)));
            return self.settled();
        }
        self
    }

    /// Records the possible lengths of an unknown list, set or map.
    #[must_use]
    pub fn refined_lengths(mut self, range: LengthRange) -> Self {
        let range = self.length_range().within(range);
        if let Kind::Unknown { ty, limits } = &mut self.kind
            && ty.is_collection()
            && range != LengthRange::ANY
        {
            *limits = Some(Arc::new(Limits::Lengths(range)));
            return self.settled();
        }
        self
    }

    /// Returns the known value if the refinements leave only one: one number; an empty collection; a list of unknown
    /// elements, or a set of one.
    fn settled(self) -> Self {
        let Kind::Unknown { ty, limits: Some(limits) } = &self.kind else { return self };
        if !self.not_null {
            return self;
        }
        let known = match &**limits {
            Limits::Numbers(range) => range.single().map(|number| Self::number(number.clone())),
            Limits::Lengths(range) if range.min == range.max => of_length(ty, range.min),
            Limits::Prefix(_) | Limits::Lengths(_) => None,
        };
        match known {
            Some(known) => known.with_marks(self.marks),
            None => self,
        }
    }

    fn limits(&self) -> Option<&Limits> {
        match &self.kind {
            Kind::Unknown { limits, .. } => limits.as_deref(),
            _ => None,
        }
    }

    /// Returns how the value begins, if it is a string: the whole text if it is known, and nothing if nothing is known.
    pub fn known_prefix(&self) -> &str {
        match (self.as_text(), self.limits()) {
            (Some(text), _) => text,
            (_, Some(Limits::Prefix(prefix))) => prefix,
            _ => "",
        }
    }

    /// Returns the interval that contains the value, if it is a number and not null.
    pub fn number_range(&self) -> NumberRange {
        match (self.as_number(), self.limits()) {
            (Some(number), _) => NumberRange::only(number),
            (_, Some(Limits::Numbers(range))) => range.clone(),
            _ => NumberRange::default(),
        }
    }

    /// Returns the possible lengths of the value, if it is a list, set or map and not null. A known set with unknown
    /// parts counts as one of any length, as in the tool; see [`Self::count_range`].
    pub fn length_range(&self) -> LengthRange {
        match (&self.kind, self.limits()) {
            (Kind::Set(set), _) if set.items.len() != 1 && set.deep.unknown => LengthRange::ANY,
            (Kind::List(sequence) | Kind::Set(sequence), _) => LengthRange::only(sequence.items.len()),
            (Kind::Map(map), _) => LengthRange::only(map.entries.len()),
            (_, Some(Limits::Lengths(range))) => *range,
            _ => LengthRange::ANY,
        }
    }

    /// Returns the possible numbers of elements of a list, set or map: unknown parts of a set may turn out to be equal
    /// to others.
    pub fn count_range(&self) -> LengthRange {
        match &self.kind {
            Kind::Set(set) if set.items.len() > 1 && set.deep.unknown => LengthRange::only(set.items.len()).merged(),
            _ => self.length_range(),
        }
    }

    /// Returns whether this value, which is not known yet, may turn out to be `other`, which is known and not null.
    pub(crate) fn may_become(&self, other: &Self) -> bool {
        if !other.ty().conforms_to(self.ty()) {
            return false;
        }
        match self.limits() {
            None => true,
            Some(Limits::Prefix(prefix)) => {
                account::touch(prefix.len());
                other.as_text().is_none_or(|text| text.starts_with(&**prefix))
            }
            Some(Limits::Numbers(range)) => other.as_number().is_none_or(|number| range.contains(number)),
            Some(Limits::Lengths(range)) => {
                let count = other.count_range();
                count.max >= range.min && count.min <= range.max
            }
        }
    }

    /// Returns whether both are refined in the same way.
    pub(crate) fn same_refinements(&self, other: &Self) -> bool {
        self.not_null == other.not_null && self.limits() == other.limits()
    }
}

/// Returns the only known form of a collection with this number of elements, if there is one.
fn of_length(ty: &Type, length: usize) -> Option<Value> {
    let element = ty.element()?.clone();
    Some(match (ty, length) {
        (Type::List(_), _) => Value::list(element.clone(), vec![Value::unknown(element); length]),
        (Type::Set(_), 0) => Value::set(element, Vec::new()),
        (Type::Set(_), 1) => Value::set(element.clone(), vec![Value::unknown(element)]),
        (Type::Map(_), 0) => Value::map(element, Vec::new()),
        _ => return None,
    })
}

/// Returns the part of a normalised text that stays the same whatever text follows: without a last character that may
/// combine with the next one, otherwise without the last grapheme cluster, unless that is a common delimiter. In the
/// latter case the tool also stops before the first carriage return or line feed that stands alone.
fn safe_prefix(text: &str) -> &str {
    const DELIMITERS: &str = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";
    account::touch(text.len());
    let Some(last) = text.chars().next_back() else { return text };
    if is_open(last)
        && let Some((start, _)) = text.char_indices().rev().find(|(_, c)| canonical_combining_class(*c) == 0)
    {
        return text.split_at(start).0;
    }
    let is_break = |(_, cluster): &(usize, &str)| matches!(*cluster, "\n" | "\r");
    if text.contains(['\n', '\r'])
        && let Some((start, _)) = text.grapheme_indices(true).find(is_break)
    {
        return text.split_at(start).0;
    }
    let Some((start, cluster)) = text.grapheme_indices(true).next_back() else { return text };
    let mut chars = cluster.chars();
    let whole = chars.next().is_some_and(|only| DELIMITERS.contains(only)) && chars.next().is_none();
    if whole { text } else { text.split_at(start).0 }
}

/// Returns whether normalisation may change the character when another one follows it.
fn is_open(c: char) -> bool {
    let mut decomposed = 0;
    decompose_canonical(c, |_| decomposed += 1);
    canonical_combining_class(c) != 0
        || decomposed > 1
        || matches!(c, '\u{1100}'..='\u{1112}')
        || ('\u{300}'..='\u{345}').any(|mark| compose(c, mark).is_some())
}

#[cfg(test)]
mod tests;
