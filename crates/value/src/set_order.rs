//! The iteration order of sets, and the removal of duplicates (expressions.md, section 1).

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::{Equality, Kind, Number, Type, Value, Verb, with_stack};
use overfold_base::account;

/// Sorts unmarked elements into set order, and keeps only the first of equal ones.
pub(super) fn normalize(element: &Type, items: Vec<Value>) -> Vec<Value> {
    if items.len() < 2 {
        return items;
    }
    let items = distinct(items);
    if element.is_primitive() {
        let mut items = items;
        items.sort_by(compare_primitive);
        return items;
    }
    let mut keyed: Vec<(Rank, String, Value)> = items
        .into_iter()
        .map(|item| {
            let mut key = String::new();
            write_key(&item, &mut key);
            (rank(&item), key, item)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    keyed.into_iter().map(|(_, _, item)| item).collect()
}

/// Returns whether two lists of elements, each without duplicates and wholly known, contain the same elements.
pub(super) fn same_elements(a: &[Value], b: &[Value]) -> bool {
    let sorted = |items: &[Value]| {
        let mut items: Vec<Value> = items.to_vec();
        items.sort_by(total_order);
        items
    };
    let (a, b) = (sorted(a), sorted(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.equality(b) == Equality::Equal)
}

/// Keeps the first of each group of equal values, in their order. Values that are not wholly known are not equal to
/// any.
fn distinct(items: Vec<Value>) -> Vec<Value> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    let at = |index: &usize| items.get(*index);
    // A stable sort by a total order makes equal values adjacent, the earliest first.
    order.sort_by(|a, b| match (at(a), at(b)) {
        (Some(a), Some(b)) => total_order(a, b),
        _ => Ordering::Equal,
    });
    let mut keep = vec![true; items.len()];
    let mut leader: Option<usize> = None;
    for index in order {
        let equal = match (leader.and_then(|l| items.get(l)), items.get(index)) {
            (Some(a), Some(b)) => a.equality(b) == Equality::Equal,
            _ => false,
        };
        if equal {
            if let Some(flag) = keep.get_mut(index) {
                *flag = false;
            }
        } else {
            leader = Some(index);
        }
    }
    items.into_iter().zip(keep).filter_map(|(item, keep)| keep.then_some(item)).collect()
}

/// The first sort criterion: known values that are not null, then unknown values, then nulls.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Rank {
    Value,
    Unknown,
    Null,
}

fn rank(value: &Value) -> Rank {
    match value.kind() {
        Kind::Null(_) => Rank::Null,
        Kind::Unknown { .. } => Rank::Unknown,
        _ => Rank::Value,
    }
}

fn compare_primitive(a: &Value, b: &Value) -> Ordering {
    account::work(1);
    rank(a).cmp(&rank(b)).then_with(|| match (a.kind(), b.kind()) {
        (Kind::Text(a), Kind::Text(b)) => {
            account::touch(a.len().min(b.len()));
            a.cmp(b)
        }
        (Kind::Number(a), Kind::Number(b)) => a.cmp(b),
        (Kind::Bool(a), Kind::Bool(b)) => a.cmp(b),
        _ => Ordering::Equal,
    })
}

/// An arbitrary total order in which equal values are adjacent.
fn total_order(a: &Value, b: &Value) -> Ordering {
    fn class(value: &Value) -> u8 {
        match value.kind() {
            Kind::Null(_) => 0,
            Kind::Unknown { .. } => 1,
            Kind::Bool(_) => 2,
            Kind::Number(_) => 3,
            Kind::Text(_) => 4,
            Kind::List(_) => 5,
            Kind::Set(_) => 6,
            Kind::Tuple(_) => 7,
            Kind::Map(_) => 8,
            Kind::Object(_) => 9,
        }
    }
    account::work(1);
    class(a).cmp(&class(b)).then_with(|| {
        with_stack(|| match (a.kind(), b.kind()) {
            (Kind::Map(a), Kind::Map(b)) | (Kind::Object(a), Kind::Object(b)) => {
                let pairs = a.entries().iter().zip(b.entries());
                pairs
                    .map(|((ka, a), (kb, b))| ka.cmp(kb).then_with(|| total_order(a, b)))
                    .find(|order| order.is_ne())
                    .unwrap_or_else(|| a.entries().len().cmp(&b.entries().len()))
            }
            (Kind::Number(a), Kind::Number(b)) => a.equality_order(b),
            (Kind::Bool(_) | Kind::Text(_), _) => compare_primitive(a, b),
            _ => {
                let (a, b) = (a.items(), b.items());
                a.iter()
                    .zip(b)
                    .map(|(a, b)| total_order(a, b))
                    .find(|order| order.is_ne())
                    .unwrap_or_else(|| a.len().cmp(&b.len()))
            }
        })
    })
}

/// Writes the text by which sets of structures are sorted.
fn write_key(value: &Value, out: &mut String) {
    account::build(1, 8);
    match value.kind() {
        Kind::Null(_) => out.push('~'),
        Kind::Unknown { .. } => out.push('?'),
        Kind::Bool(value) => out.push(if *value { 'T' } else { 'F' }),
        Kind::Number(number) => out.push_str(&number_key(number)),
        Kind::Text(text) => quote(text, out),
        Kind::List(sequence) | Kind::Set(sequence) => {
            out.push('[');
            for item in sequence.items() {
                with_stack(|| write_key(item, out));
                out.push(';');
            }
            out.push(']');
        }
        Kind::Tuple(sequence) => {
            out.push('<');
            for item in sequence.items() {
                with_stack(|| write_key(item, out));
                out.push(';');
            }
            out.push('>');
        }
        Kind::Map(mapping) => {
            out.push('{');
            for (key, item) in mapping.entries() {
                quote(key, out);
                out.push(':');
                with_stack(|| write_key(item, out));
                out.push(';');
            }
            out.push('}');
        }
        Kind::Object(mapping) => {
            out.push('<');
            for (_, item) in mapping.entries() {
                with_stack(|| write_key(item, out));
                out.push(';');
            }
            out.push('>');
        }
    }
}

fn number_key(number: &Number) -> String {
    // Ten digits are never too long.
    number.format(Verb::General, Some(10)).unwrap_or_default()
}

/// Writes text in Go's `%q` form.
pub fn quote(text: &str, out: &mut String) {
    account::touch(text.len() * 8);
    account::grow(text.len() as u64);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' '..='~' => out.push(c),
            c if (c as u32) < 0x80 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if is_printed(c) => out.push(c),
            c if (c as u32) < 0x1_0000 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
}

/// Returns whether Go prints the character unescaped: letters, marks, numbers, punctuation and symbols. Control and
/// format characters, separators, private-use and unassigned characters are written as escapes.
pub fn is_printed(c: char) -> bool {
    !(c.is_control()
        || c.is_whitespace()
        || matches!(c,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}'))
}
