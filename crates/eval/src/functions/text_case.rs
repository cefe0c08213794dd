//! Upper, lower and title case, mapping one character to one character (expressions.md, section 6; the simple case
//! mappings of the Unicode Character Database, version 15.0).

/// Characters that gained their other case after Unicode 15.0 and stay as they are. (first, last)
const NEWER: &[(char, char)] = &[
    ('\u{1C89}', '\u{1C8A}'),
    ('\u{A7CB}', '\u{A7CF}'),
    ('\u{A7D2}', '\u{A7D5}'),
    ('\u{A7DA}', '\u{A7DD}'),
    ('\u{10D50}', '\u{10D8F}'),
    ('\u{16EA0}', '\u{16ED3}'),
];

fn is_newer(c: char) -> bool {
    NEWER.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Returns the character in `mapped` if there is exactly one, otherwise `c`.
fn single(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(other), None) if !is_newer(other) && !is_newer(c) => other,
        _ => c,
    }
}

/// Returns the character in lower case.
pub(super) fn lower(c: char) -> char {
    // The only character whose full mapping is longer than its simple one.
    if c == 'İ' { 'i' } else { single(c, c.to_lowercase()) }
}

/// Returns the character in upper case.
pub(super) fn upper(c: char) -> char {
    // Greek letters with iota subscript: in the simple mapping the iota stays below.
    let below = match c {
        '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => Some(8),
        '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => Some(9),
        _ => None,
    };
    match below.and_then(|distance| char::from_u32(c as u32 + distance)) {
        Some(upper) => upper,
        None => single(c, c.to_uppercase()),
    }
}

/// Returns the character in title case.
fn title(c: char) -> char {
    match c {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        // Georgian letters have an upper case but no title case.
        '\u{10D0}'..='\u{10FF}' => c,
        c => upper(c),
    }
}

/// Returns the text with the first letter of each word in title case. A word ends at ASCII characters other than
/// letters, digits and `_`; beyond ASCII, only at white space.
pub(super) fn titled(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .map(|c| {
            let out = if inside { c } else { title(c) };
            inside = if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { !c.is_whitespace() };
            out
        })
        .collect()
}
