//! Texts that are put together from parts whose length the input decides, such as addresses: each part is charged before
//! it is copied. Use these instead of `format!` and `to_string` wherever an address, a name or a key is part of a text.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::account::{self, Text};

/// Puts a text together, as `format!` does.
pub fn written(parts: fmt::Arguments<'_>) -> String {
    let mut text = Text::new();
    // Writing to a string never fails.
    let _ = text.write_fmt(parts);
    text.finish()
}

/// Puts a text together that several findings, instances or entries share.
pub fn shared(parts: fmt::Arguments<'_>) -> Arc<str> {
    let text = written(parts);
    account::room(text.len());
    Arc::from(text)
}

/// Compares two texts byte by byte. Two that are the same in memory are equal without a look at them, which is what makes
/// sorting cheap where names are shared.
pub fn order(left: &str, right: &str) -> Ordering {
    account::work(1);
    if std::ptr::eq(left, right) {
        return Ordering::Equal;
    }
    account::touch(left.len().min(right.len()));
    left.cmp(right)
}

/// Compares two texts that are given in pieces, as if each were put together first.
pub fn order_of_pieces<'t>(
    left: impl IntoIterator<Item = &'t str>,
    right: impl IntoIterator<Item = &'t str>,
) -> Ordering {
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let (mut own, mut other) = ("".as_bytes(), "".as_bytes());
    loop {
        if own.is_empty() {
            match left.next() {
                Some(piece) => own = piece.as_bytes(),
                None if other.is_empty() && right.all(str::is_empty) => return Ordering::Equal,
                None => return Ordering::Less,
            }
            continue;
        }
        if other.is_empty() {
            match right.next() {
                Some(piece) => other = piece.as_bytes(),
                None => return Ordering::Greater,
            }
            continue;
        }
        account::work(1);
        let common = own.len().min(other.len());
        let (Some((a, rest_of_own)), Some((b, rest_of_other))) =
            (own.split_at_checked(common), other.split_at_checked(common))
        else {
            return Ordering::Equal;
        };
        if !std::ptr::eq(a, b) {
            account::touch(common);
            match a.cmp(b) {
                Ordering::Equal => {}
                different => return different,
            }
        }
        (own, other) = (rest_of_own, rest_of_other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{Cancel, Limits, Stop, open};

    #[test]
    fn a_text_is_charged_before_it_is_written() {
        let part = "x".repeat(1 << 20);
        let limits = Limits { work: u64::MAX, memory: 3 << 20 };
        let stopped = open(limits, &Cancel::new(), || written(format_args!("{part}.{part}.{part}.{part}")).len());
        assert_eq!(stopped, Err(Stop::Memory(3 << 20)));
        assert_eq!(&*shared(format_args!("module.{}[{}]", "a", 1)), "module.a[1]");
    }

    #[test]
    fn pieces_are_compared_like_whole_texts() {
        let texts = [
            vec!["a", "bc"],
            vec!["ab", "", "c"],
            vec![""],
            vec![],
            vec!["ab"],
            vec!["abc", "d"],
            vec!["abd"],
            vec!["", "b"],
        ];
        for left in &texts {
            for right in &texts {
                let whole = left.concat().cmp(&right.concat());
                assert_eq!(order_of_pieces(left.iter().copied(), right.iter().copied()), whole, "{left:?} {right:?}");
                assert_eq!(order(&left.concat(), &right.concat()), whole);
            }
        }
    }
}
