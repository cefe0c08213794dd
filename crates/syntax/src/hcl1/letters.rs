//! Letters and digits beyond ASCII: Unicode categories L and Nd.

use std::sync::OnceLock;

/// Returns whether the character is treated as a letter: a letter or `_`.
pub(super) fn is_letter(found: char) -> bool {
    match found {
        'a'..='z' | 'A'..='Z' | '_' => true,
        '\0'..='\x7f' => false,
        _ => contains(letters(), found),
    }
}

/// Returns whether the character is treated as a digit inside a name.
pub(super) fn is_digit(found: char) -> bool {
    match found {
        '0'..='9' => true,
        '\0'..='\x7f' => false,
        _ => contains(digits(), found),
    }
}

fn letters() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| class(r"\p{L}"))
}

fn digits() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| class(r"\p{Nd}"))
}

fn class(pattern: &str) -> Vec<(char, char)> {
    match regex_syntax::parse(pattern).map(regex_syntax::hir::Hir::into_kind) {
        Ok(regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class))) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        _ => Vec::new(),
    }
}

fn contains(table: &[(char, char)], found: char) -> bool {
    table
        .binary_search_by(|&(first, last)| {
            if last < found {
                std::cmp::Ordering::Less
            } else if first > found {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}
